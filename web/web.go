// Package web has the pages that kindsmith serves. They are bundles of the sources in src, which `make web` builds.
package web

import (
	"embed"
	"io/fs"
	"net/http"
)

//go:embed dist
var dist embed.FS

// Workbench serves the page of `kindsmith dev`, at / and at the paths of its parts.
func Workbench() http.Handler {
	files, err := fs.Sub(dist, "dist")
	if err != nil {
		panic(err) // the path is valid
	}
	return http.FileServerFS(files)
}
