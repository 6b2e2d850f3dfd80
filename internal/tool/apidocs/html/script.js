(function () {
  "use strict";
  var search = document.getElementById("_search"), input = document.getElementById("_query");
  var hits = document.getElementById("_hits"), count = document.getElementById("_count");
  var toggle = document.getElementById("_keys");
  var fields = Array.prototype.slice.call(document.querySelectorAll(".field"));
  var data = document.getElementById("_entries");
  var entries = data ? JSON.parse(data.textContent) : fields.map(function (f) {
    return { t: f.id, p: "#" + f.id, d: (f.querySelector(".doc") || f).textContent };
  });
  search.hidden = toggle.hidden = false;

  // Single keys can be switched off, since they disturb people who speak to their computer.
  var on = true;
  function remember(value) { try { return value === undefined ? localStorage.getItem("keys") : localStorage.setItem("keys", value); } catch (e) { return null; } }
  function keys(value) { on = value; toggle.setAttribute("aria-pressed", String(value)); }
  keys(remember() !== "off");
  toggle.addEventListener("click", function () { keys(!on); remember(on ? "on" : "off"); });

  function words(text) { return text.replace(/([a-z0-9])([A-Z])/g, "$1 $2").toLowerCase(); }
  // score is 0 for no match; the name of the field counts most, then its beginning, its words, its path, its comment.
  function score(e, q) {
    var path = e.t.toLowerCase(), name = e.t.split(/[. ]/).pop();
    var low = name.toLowerCase();
    if (low === q) { return 6; }
    if (low.indexOf(q) === 0) { return 5; }
    if ((" " + words(name)).indexOf(" " + q) >= 0) { return 4; }
    if (path.indexOf(q) >= 0) { return 3; }
    var all = q.split(/\s+/).every(function (w) { return path.indexOf(w) >= 0; });
    if (all) { return 2; }
    return (e.d || "").toLowerCase().indexOf(q) >= 0 ? 1 : 0;
  }
  function find() {
    var q = input.value.trim().toLowerCase(), found = [];
    hits.textContent = "";
    if (!q) { count.textContent = ""; return; }
    entries.forEach(function (e, i) { var s = score(e, q); if (s) { found.push([s, i, e]); } });
    found.sort(function (a, b) { return b[0] - a[0] || a[2].t.length - b[2].t.length || a[1] - b[1]; });
    found.slice(0, 30).forEach(function (f) {
      var li = document.createElement("li"), a = document.createElement("a");
      a.href = f[2].p; a.textContent = f[2].t;
      li.appendChild(a); hits.appendChild(li);
    });
    count.textContent = found.length === 1 ? "1 result" : found.length + " results";
  }
  input.addEventListener("input", find);
  search.addEventListener("submit", function (e) {
    e.preventDefault();
    var first = hits.querySelector("a");
    if (first) { first.click(); }
  });

  // reveal opens everything around an anchor, and goes there.
  function reveal() {
    var id = decodeURIComponent(location.hash.slice(1)), at = id && document.getElementById(id);
    if (!at) { return; }
    for (var up = at; up; up = up.parentElement) { if (up.tagName === "DETAILS") { up.open = true; } }
    var field = at.closest(".field");
    if (field) { here(field); }
  }
  function here(field) {
    var old = document.querySelector(".here");
    if (old) { old.classList.remove("here"); }
    field.classList.add("here");
    field.focus({ preventScroll: true });
    field.scrollIntoView({ block: "start" });
  }
  window.addEventListener("hashchange", reveal);
  reveal();

  function move(by) {
    var shown = fields.filter(function (f) { return f.offsetParent !== null; });
    var at = shown.indexOf(document.querySelector(".here"));
    var next = shown[Math.max(0, Math.min(shown.length - 1, at + by))];
    if (next) { here(next); }
  }
  function version() {
    var all = Array.prototype.slice.call(document.querySelectorAll("#_versions a"));
    var at = all.findIndex(function (a) { return a.getAttribute("aria-current"); });
    var field = document.querySelector(".here");
    if (all.length > 1) { location.href = all[(at + 1) % all.length].href.split("#")[0] + (field ? "#" + field.id : location.hash); }
  }
  document.addEventListener("keydown", function (e) {
    if (e.key === "Escape" && document.activeElement === input) { input.value = ""; find(); input.blur(); return; }
    if (!on || e.ctrlKey || e.metaKey || e.altKey || /^(INPUT|TEXTAREA|SELECT)$/.test(e.target.tagName)) { return; }
    var action = { "/": function () { input.focus(); }, j: function () { move(1); }, k: function () { move(-1); }, v: version }[e.key];
    if (action) { e.preventDefault(); action(); }
  });
})();
