package install

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// standIns makes images with the names of those that the Dockerfile begins with, since tests do not depend on a registry: one with
// the Go of this machine and a shell, and an empty one.
const standIns = `set -e
mkdir -p base/bin base/tmp base/etc base/root base/usr/local
cp -rL "$(go env GOROOT)" base/usr/local/go
cp -L /bin/sh base/bin/sh
for f in $(ldd /bin/sh | grep -o '/[^ ]*'); do mkdir -p base/$(dirname $f) && cp -L $f base$f; done
cp -rL /etc/ssl base/etc/ssl
cp -L /etc/resolv.conf /etc/passwd base/etc
c=$(BUILDAH from scratch)
BUILDAH add -q $c base /
BUILDAH config --env PATH=/usr/local/go/bin:/bin $(for v in GOPROXY GONOSUMDB GOMODCACHE GOCACHE; do echo --env $v=$(go env $v); done) $c
BUILDAH commit -q $c docker.io/library/golang:1.26
BUILDAH commit -q $(BUILDAH from scratch) gcr.io/distroless/static:nonroot
`

// TestManagerImage builds the Dockerfile that init writes for a new manager, and runs the image.
func TestManagerImage(t *testing.T) {
	if !*soak {
		t.Skip("needs -soak: it builds an image")
	}
	if _, err := exec.LookPath("buildah"); err != nil || os.Getuid() != 0 {
		t.Skip("needs buildah, as root")
	}
	p, images := empty(t), empty(t)
	p.follow(p.run("kindsmith init --module example.com/shop --group shop.example.com --kind Order --webhook --yes"))
	buildah := "buildah --root=" + images.path("root") + " --runroot=" + images.path("run") + " --storage-driver=vfs"
	images.run(strings.ReplaceAll(standIns, "BUILDAH", buildah))
	mounts := " --volume=" + rehearsal.proxy + ":" + rehearsal.proxy + ":ro"
	for _, name := range []string{"GOMODCACHE", "GOCACHE"} {
		dir := strings.TrimSpace(p.run("go env " + name))
		mounts += " --volume=" + dir + ":" + dir
	}
	p.run(buildah + " build --isolation=chroot --pull=never --network=host" + mounts + " -t shop . 2>&1")

	config := p.run(buildah + " inspect --type=image --format '{{.OCIv1.Config.User}} {{.OCIv1.Config.Entrypoint}} {{len .OCIv1.RootFS.DiffIDs}}' shop")
	p.want(config, `^65532:65532 \[/manager\] [12]$`) // the deployment has runAsNonRoot, which kubelets check by a number
	help := p.run(buildah + " run --isolation=chroot $(" + buildah + " from shop) -- /manager --help 2>&1")
	p.want(help, `^  -health-probe-bind-address address$`)
}
