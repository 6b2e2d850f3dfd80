package workbench

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

// TestGuard sends what pages of other sites, other names of this machine, and programs without the token may send.
func TestGuard(t *testing.T) {
	g := &guard{port: "8080", token: "secret", next: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })}
	const api, page = "/-/api/state", "/"
	for name, test := range map[string]struct {
		path, host, token, origin, site string
		code                            int
	}{
		"the page":                         {path: page, host: "127.0.0.1:8080", code: 204},
		"a part of the page":               {path: "/workbench.js", host: "127.0.0.1:8080", site: "same-origin", code: 204},
		"the API":                          {path: api, host: "127.0.0.1:8080", token: "Bearer secret", site: "same-origin", code: 204},
		"localhost":                        {path: api, host: "localhost:8080", token: "Bearer secret", origin: "http://localhost:8080", code: 204},
		"IPv6":                             {path: api, host: "[::1]:8080", token: "Bearer secret", origin: "http://[::1]:8080", code: 204},
		"no token":                         {path: api, host: "127.0.0.1:8080", code: 401},
		"another token":                    {path: api, host: "127.0.0.1:8080", token: "Bearer secret2", code: 401},
		"the token without Bearer":         {path: api, host: "127.0.0.1:8080", token: "secret", code: 401},
		"a path that means the API":        {path: "/-/api/", host: "127.0.0.1:8080", code: 401},
		"a rebound name":                   {path: api, host: "evil.example:8080", token: "Bearer secret", code: 403},
		"a rebound name, the page":         {path: page, host: "evil.example:8080", code: 403},
		"a name that begins as this":       {path: api, host: "127.0.0.1.evil.example:8080", token: "Bearer secret", code: 403},
		"another port":                     {path: api, host: "127.0.0.1:80", token: "Bearer secret", code: 403},
		"no port":                          {path: api, host: "127.0.0.1", token: "Bearer secret", code: 403},
		"another machine":                  {path: api, host: "10.0.0.1:8080", token: "Bearer secret", code: 403},
		"another origin":                   {path: api, host: "127.0.0.1:8080", token: "Bearer secret", origin: "http://evil.example", code: 403},
		"another port of this machine":     {path: api, host: "127.0.0.1:8080", token: "Bearer secret", origin: "http://127.0.0.1:3000", code: 403},
		"the null origin":                  {path: api, host: "127.0.0.1:8080", token: "Bearer secret", origin: "null", code: 403},
		"https":                            {path: api, host: "127.0.0.1:8080", token: "Bearer secret", origin: "https://127.0.0.1:8080", code: 403},
		"another site by its fetch header": {path: api, host: "127.0.0.1:8080", token: "Bearer secret", site: "cross-site", code: 403},
		"another port by its fetch header": {path: api, host: "127.0.0.1:8080", token: "Bearer secret", site: "same-site", code: 403},
		"a link of another site":           {path: page, host: "127.0.0.1:8080", site: "cross-site", code: 204},
	} {
		t.Run(name, func(t *testing.T) {
			r := httptest.NewRequest(http.MethodGet, test.path, nil)
			r.Host = test.host
			for header, value := range map[string]string{"Authorization": test.token, "Origin": test.origin, "Sec-Fetch-Site": test.site} {
				if value != "" {
					r.Header.Set(header, value)
				}
			}
			w := httptest.NewRecorder()
			g.ServeHTTP(w, r)
			if w.Code != test.code {
				t.Errorf("%d, want %d: %s", w.Code, test.code, w.Body)
			}
			if h := w.Header(); h.Get("Content-Security-Policy") != policy || h.Get("Access-Control-Allow-Origin") != "" || h.Get("Cache-Control") != "no-store" {
				t.Errorf("headers: %v", h)
			}
		})
	}
}

func TestLoopback(t *testing.T) {
	for address, ok := range map[string]bool{
		"127.0.0.1:0": true, "127.1.2.3:80": true, "[::1]:8080": true, "localhost:65535": true,
		"0.0.0.0:80": false, ":80": false, "10.0.0.1:80": false, "[::]:80": false, "example.com:80": false, "127.0.0.1": false, "127.0.0.1:x": false, "127.0.0.1:65536": false, "": false,
	} {
		if err := Loopback(address); (err == nil) != ok {
			t.Errorf("%q: %v", address, err)
		}
	}
}
