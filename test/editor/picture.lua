-- Shows kindsmith in Neovim, for the picture of docs: `make pictures` runs it in a terminal.
vim.o.swapfile, vim.o.number, vim.o.signcolumn, vim.o.laststatus, vim.o.ruler, vim.o.showmode, vim.o.termguicolors = false, true, 'yes', 0, false, false, true
vim.o.completeopt, vim.o.shortmess, vim.o.background, vim.o.pumheight = 'menuone,noselect', vim.o.shortmess .. 'cIF', 'light', 7
vim.cmd('syntax on | filetype on | edit ' .. vim.env.FILE)
for group, colors in pairs({
  Normal = { fg = '#1f2328', bg = '#ffffff' }, LineNr = { fg = '#8c959f' }, SignColumn = { bg = '#ffffff' }, Comment = { fg = '#57606a' }, Pmenu = { fg = '#1f2328', bg = '#eaeef2' },
  PmenuSel = { fg = '#ffffff', bg = '#0550ae' }, PmenuSbar = { bg = '#d0d7de' }, PmenuThumb = { bg = '#8c959f' }, Statement = { fg = '#cf222e' }, Keyword = { fg = '#cf222e' }, Type = { fg = '#953800' },
  String = { fg = '#0a3069' }, EndOfBuffer = { fg = '#ffffff' }, DiagnosticError = { fg = '#b42318' }, DiagnosticVirtualTextError = { fg = '#b42318', bg = '#fff1f0' },
  DiagnosticUnderlineError = { underline = true, sp = '#b42318' }, Marker = { fg = '#0550ae', bold = true },
}) do
  vim.api.nvim_set_hl(0, group, colors)
end
vim.fn.matchadd('Marker', [[+\w\+:\w\+]])
vim.diagnostic.config({ virtual_text = { prefix = ' ', spacing = 2 }, signs = true, update_in_insert = true })
local buffer = vim.api.nvim_get_current_buf()
local id = vim.lsp.start_client({ name = 'kindsmith', cmd = { 'kindsmith', 'lsp' }, root_dir = vim.fn.fnamemodify(vim.env.FILE, ':h:h:h') })
vim.lsp.buf_attach_client(buffer, id)
vim.bo.omnifunc = 'v:lua.vim.lsp.omnifunc'
local function ready()
  if #vim.diagnostic.get(buffer) == 0 then
    return vim.defer_fn(ready, 200)
  end
  local line = vim.fn.search([[+k8s:m$]])
  vim.fn.cursor(line, 100)
  vim.cmd('normal! zt')
  vim.fn.winrestview({ topline = 1 })
  vim.cmd('startinsert!')
  vim.defer_fn(function()
    vim.lsp.buf_request(buffer, 'textDocument/completion', vim.lsp.util.make_position_params(), function(_, result)
      local from = vim.fn.col('.') - #'k8s:m'
      local items = vim.lsp.util.text_document_completion_list_to_complete_items(result, 'k8s:m')
      vim.fn.complete(from, items)
    end)
  end, 500)
end
vim.defer_fn(ready, 500)
