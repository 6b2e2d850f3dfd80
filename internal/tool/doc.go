// Package tool is the room of the command: commands (cli), the order of stages and what is written where (driver), settings
// (project), new projects (scaffold, wiring), documentation (explain, apidocs), the language server (lsp) and the dev server
// (dev).
//
// Arguments and files enter; files, reports and exit codes leave. It may know every room but testing.
package tool
