// lines returns the lines of two texts as [sign, text]: " " in both, "-" in the first, "+" in the second.
export function lines(before, after) {
  const a = before.replace(/\n$/, "").split("\n"), b = after.replace(/\n$/, "").split("\n");
  let start = 0, endA = a.length, endB = b.length;
  while (start < endA && start < endB && a[start] === b[start]) start++;
  while (endA > start && endB > start && a[endA - 1] === b[endB - 1]) endA--, endB--;
  const n = endA - start, m = endB - start;
  const out = a.slice(0, start).map((t) => [" ", t]);
  if (n * m > 4e6) {
    out.push(...a.slice(start, endA).map((t) => ["-", t]), ...b.slice(start, endB).map((t) => ["+", t]));
  } else {
    // common[i][j] is the number of lines that the rests from i and j have in common.
    const common = Array.from({ length: n + 1 }, () => new Uint16Array(m + 1));
    for (let i = n - 1; i >= 0; i--)
      for (let j = m - 1; j >= 0; j--) common[i][j] = a[start + i] === b[start + j] ? common[i + 1][j + 1] + 1 : Math.max(common[i + 1][j], common[i][j + 1]);
    for (let i = 0, j = 0; i < n || j < m; ) {
      if (i < n && j < m && a[start + i] === b[start + j]) out.push([" ", a[start + i++]]), j++;
      else if (i < n && (j === m || common[i + 1][j] >= common[i][j + 1])) out.push(["-", a[start + i++]]);
      else out.push(["+", b[start + j++]]);
    }
  }
  return out.concat(a.slice(endA).map((t) => [" ", t]));
}

const around = 3;
const words = { "+": "added: ", "-": "removed: " };

// Diff shows what differs, with some lines around it.
export function Diff({ before, after, label }) {
  const all = lines(before, after);
  const near = all.map((_, i) => all.slice(Math.max(0, i - around), i + around + 1).some(([sign]) => sign !== " "));
  return (
    <div class="diff" role="group" aria-label={label}>
      {all.map(([sign, text], i) =>
        near[i] ? (
          <div class={"line " + ({ "+": "more", "-": "less" }[sign] ?? "")}>
            <span aria-hidden="true">{sign}</span>
            <code>{words[sign] && <span class="unseen">{words[sign]}</span>}{text || " "}</code>
          </div>
        ) : near[i - 1] || (i === 0 && near.includes(true)) ? (
          <div class="line gap"><span aria-hidden="true"> </span><code>…</code></div>
        ) : null,
      )}
    </div>
  );
}
