-- Drives Neovim with gopls and kindsmith on one buffer: `make editor` runs it. It needs Neovim 0.7 or later.
local file = vim.env.FILE
local failed = false

local function check(ok, what, got)
  if not ok then
    failed = true
    print('FAIL ' .. what .. ': ' .. vim.inspect(got))
  else
    print('ok   ' .. what)
  end
end

vim.cmd('edit ' .. file)
local buffer = vim.api.nvim_get_current_buf()
local root = vim.fn.fnamemodify(file, ':h:h:h')
local clients = {}
for name, cmd in pairs({ gopls = { 'gopls' }, kindsmith = { 'kindsmith', 'lsp' } }) do
  clients[name] = vim.lsp.start_client({ name = name, cmd = cmd, root_dir = root })
  vim.lsp.buf_attach_client(buffer, clients[name])
end

-- sources returns the sources of the diagnostics of a line, counted from 1.
local function sources(line)
  local found = {}
  for _, d in ipairs(vim.diagnostic.get(buffer, { lnum = line - 1 })) do
    found[d.source] = (found[d.source] or 0) + 1
  end
  return found
end

local function line_of(text)
  for i, line in ipairs(vim.api.nvim_buf_get_lines(buffer, 0, -1, false)) do
    local column = line:find(text, 1, true)
    if column then
      return i, column - 1
    end
  end
  error('the buffer does not have ' .. text)
end

local function replace(old, new)
  local i = line_of(old)
  local line = vim.api.nvim_buf_get_lines(buffer, i - 1, i, false)[1]
  local from, to = line:find(old, 1, true)
  vim.api.nvim_buf_set_lines(buffer, i - 1, i, false, { line:sub(1, from - 1) .. new .. line:sub(to + 1) })
end

-- ask sends a request to both servers, and returns the results by server.
local function ask(method, text, more)
  local i, column = line_of(text)
  local params = vim.tbl_extend('force', {
    textDocument = { uri = vim.uri_from_bufnr(buffer) },
    position = { line = i - 1, character = column + #text },
  }, more or {})
  local results = {}
  for id, answer in pairs(vim.lsp.buf_request_sync(buffer, method, params, 30000) or {}) do
    results[vim.lsp.get_client_by_id(id).name] = answer.result
  end
  return results
end

local ready = vim.wait(60000, function()
  return vim.lsp.get_client_by_id(clients.gopls).initialized and vim.lsp.get_client_by_id(clients.kindsmith).initialized
end, 20)
check(ready, 'both servers start', clients)

replace('+k8s:maxLength=63', '+k8s:maxLenght=63')
local wrong = line_of('maxLenght')
check(vim.wait(30000, function() return sources(wrong).kindsmith end, 10), 'kindsmith reports the tag', vim.diagnostic.get(buffer))
check(not sources(wrong).gopls and not sources(wrong).compiler, 'gopls does not', sources(wrong))

replace('Title string', 'Title strin')
local undefined = line_of('Title strin')
check(vim.wait(30000, function() return sources(undefined).compiler end, 10), 'gopls reports the type', vim.diagnostic.get(buffer))
check(not sources(undefined).kindsmith, 'kindsmith does not', sources(undefined))
check(sources(wrong).kindsmith == 1, 'the diagnostic of the tag stays', sources(wrong))
replace('Title strin', 'Title string')

local hover = ask('textDocument/hover', '+k8s:enum')
check(hover.kindsmith and hover.kindsmith.contents.value:find('enum'), 'kindsmith explains the tag', hover)
hover = ask('textDocument/hover', '\tTitle')
check(not hover.kindsmith and hover.gopls, 'gopls explains the field', hover)

replace('+k8s:maxLenght=63', '+k8s:max')
local labels = {}
for _, item in ipairs(ask('textDocument/completion', '+k8s:max').kindsmith.items) do
  labels[item.label] = true
end
check(labels['k8s:maxLength'] and not labels['k8s:maxItems'], 'completion fits the type', labels)

replace('+k8s:max', '+k8s:maxLength==63')
local i, column = line_of('==63')
local range = { start = { line = i - 1, character = column }, ['end'] = { line = i - 1, character = column } }
local actions = ask('textDocument/codeAction', '==63', { range = range, context = { diagnostics = {} } }).kindsmith
check(actions and #actions == 1, 'there is one fix', actions)
vim.lsp.util.apply_workspace_edit(actions[1].edit, 'utf-16')
check(pcall(line_of, '+k8s:maxLength=63'), 'the fix is applied', vim.api.nvim_buf_get_lines(buffer, 0, -1, false))
check(vim.wait(30000, function() return #vim.diagnostic.get(buffer) == 0 end, 10), 'nothing is left', vim.diagnostic.get(buffer))

vim.lsp.stop_client({ clients.gopls, clients.kindsmith })
vim.cmd(failed and 'cquit! 1' or 'qall!')
