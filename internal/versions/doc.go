// Package versions is the room of versions and conversion: older versions from the newest one (evolve), what happens to
// objects between neighbours (steps) as tables (steptable), conversions of manifests (convert), and the ways into and out of a
// version: adopt, bump, upgrade, breaking.
//
// A model, or published definitions, enter; the model of all versions, steps, tables and proposals leave. It may know core,
// rules and objects.
package versions
