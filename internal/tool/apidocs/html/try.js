(function () {
  "use strict";
  function by(id) { return document.getElementById(id); }
  var manifest = by("_manifest"), verdict = by("_verdict"), problems = by("_problems");
  var unchecked = by("_unchecked"), defaulted = by("_defaulted"), from = by("_from");
  var examples = JSON.parse(by("_examples").textContent);

  // unpack decodes base64 and gzip. Only the page itself is read: a request would fail in a file.
  function unpack(id) {
    var text = atob(by(id).textContent.trim()), bytes = new Uint8Array(text.length);
    for (var i = 0; i < text.length; i++) { bytes[i] = text.charCodeAt(i); }
    return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip")));
  }

  // work runs in a worker, so that the page can be used meanwhile.
  function work() {
    self.onmessage = function (e) {
      if (e.data.wasm) {
        var run = function (wasm) {
          var go = new self.Go();
          return WebAssembly.instantiate(wasm, go.importObject).then(function (made) { go.run(made.instance); });
        };
        // The project's own code comes first: the evaluator looks for it when it loads the rules.
        (e.data.code ? run(e.data.code) : Promise.resolve()).then(function () { return run(e.data.wasm); }).then(function () {
          self.postMessage({ ready: self.kindsmithLoad(e.data.programs) });
        }).catch(function (err) { self.postMessage({ ready: "error: " + err }); });
        return;
      }
      self.postMessage({ text: e.data.text, result: self.kindsmithJudge(e.data.text) });
    };
  }

  var worker, ready = false, timer;
  function ask() { if (ready) { worker.postMessage({ text: manifest.value }); } }
  function fail(text) { verdict.textContent = "This page cannot judge manifests: " + text.replace(/^error: /, ""); }

  function words(doc) {
    var what = doc.objects.join(", ") || "the document";
    if (doc.state === "valid") { return what + ": valid"; }
    if (doc.state === "invalid") { return what + ": invalid"; }
    return what + ": no mistake found, but not everything is checked here";
  }
  function show(answer) {
    if (answer.text !== manifest.value) { return; }
    if (answer.result.indexOf("error: ") === 0) { fail(answer.result); return; }
    var result = JSON.parse(answer.result);
    verdict.textContent = result.documents.map(words).join("; ") || (result.problems.length ? "The manifest cannot be read" : "There is no manifest");
    problems.textContent = unchecked.textContent = "";
    result.problems.forEach(function (p) {
      var li = document.createElement("li"), go = document.createElement("button");
      go.type = "button";
      go.textContent = "line " + p.line;
      go.addEventListener("click", function () { select(p.line); });
      li.className = p.severity;
      li.appendChild(go);
      li.appendChild(document.createTextNode(" " + (p.severity === "error" ? "" : p.severity + ": ") + p.message));
      problems.appendChild(li);
    });
    result.documents.forEach(function (d) {
      d.notChecked.forEach(function (name) {
        var li = document.createElement("li");
        li.textContent = "not checked here: " + name;
        unchecked.appendChild(li);
      });
    });
    defaulted.textContent = result.documents.map(function (d) { return d.defaulted; }).filter(Boolean).join("---\n");
  }
  // select goes to a line of the manifest.
  function select(line) {
    var lines = manifest.value.split("\n"), start = 0;
    for (var i = 0; i < line - 1; i++) { start += lines[i].length + 1; }
    manifest.focus();
    manifest.setSelectionRange(start, start + (lines[line - 1] || "").length);
  }
  function begin() {
    var e = examples.find(function (x) { return x.page === from.value; });
    if (e) { manifest.value = e.yaml; ask(); }
  }

  manifest.addEventListener("input", function () { clearTimeout(timer); timer = setTimeout(ask, 100); });
  from.addEventListener("change", begin);
  function follow() {
    var wanted = decodeURIComponent(location.hash.slice(1));
    if (examples.some(function (x) { return x.page === wanted; })) { from.value = wanted; begin(); }
  }
  window.addEventListener("hashchange", follow);
  begin();
  follow();

  try {
    worker = new Worker(URL.createObjectURL(new Blob([by("_exec").textContent, "\n(", String(work), ")();"], { type: "text/javascript" })));
    worker.onerror = function (e) { fail(e.message || "the worker failed"); };
    worker.onmessage = function (e) {
      if ("ready" in e.data) {
        if (e.data.ready) { fail(e.data.ready); return; }
        ready = true;
        ask();
        return;
      }
      show(e.data);
    };
    Promise.all([unpack("_wasm").arrayBuffer(), unpack("_programs").text(), by("_code") && unpack("_code").arrayBuffer()]).then(function (parts) {
      worker.postMessage({ wasm: parts[0], programs: parts[1], code: parts[2] }, parts[2] ? [parts[0], parts[2]] : [parts[0]]);
    }).catch(function (err) { fail(String(err)); });
  } catch (err) { fail(String(err)); }
})();
