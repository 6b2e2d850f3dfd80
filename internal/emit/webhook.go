package emit

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// ConversionWebhook is the webhook that converts the objects of a project.
type ConversionWebhook struct {
	// Namespace and Name are those of the Service.
	Namespace, Name string
	// Port is the port of the Service.
	Port int32
	// Path is the path in URLs.
	Path string
	// Certificate is the cert-manager Certificate whose authority API servers trust, as
	// namespace/name; "" leaves the authority to others.
	Certificate string
}

// InjectCA is the annotation by which cert-manager sets the authority of a webhook.
const InjectCA = "cert-manager.io/inject-ca-from"

// serviceForm is the form of a Service in settings.
var serviceForm = regexp.MustCompile(`^([a-z0-9]([-a-z0-9]*[a-z0-9])?)/([a-z]([-a-z0-9]*[a-z0-9])?)(:(\d+))?(/.*)?$`)

// certificateForm is the form of a Certificate in settings.
var certificateForm = regexp.MustCompile(`^[a-z0-9]([-a-z0-9]*[a-z0-9])?/[a-z0-9]([-.a-z0-9]*[a-z0-9])?$`)

// ParseConversionWebhook reads a Service, namespace/name[:port][/path]. The default port is that of
// API servers, the default path that of controller-runtime's webhook server.
func ParseConversionWebhook(text string) (*ConversionWebhook, error) {
	parts := serviceForm.FindStringSubmatch(text)
	if parts == nil {
		return nil, fmt.Errorf("%q is not a service; write namespace/name[:port][/path], such as shop-system/webhooks:9443/convert", text)
	}
	w := &ConversionWebhook{Namespace: parts[1], Name: parts[3], Port: 443, Path: parts[7]}
	if parts[6] != "" {
		port, err := strconv.ParseUint(parts[6], 10, 16)
		if err != nil || port == 0 {
			return nil, fmt.Errorf("the port of the service %q is not between 1 and 65535", text)
		}
		w.Port = int32(port)
	}
	if w.Path == "" {
		w.Path = "/convert"
	}
	if strings.Contains(w.Path, "//") {
		return nil, fmt.Errorf("the path of the service %q has two slashes in a row", text)
	}
	return w, nil
}

// CheckCertificate returns an error if a text is not namespace/name.
func CheckCertificate(text string) error {
	if !certificateForm.MatchString(text) {
		return fmt.Errorf("%q is not a certificate; write namespace/name, such as shop-system/serving-cert", text)
	}
	return nil
}
