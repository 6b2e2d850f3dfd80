// Package rules is the room of what tags mean: one folder a tag (tags), their meaning as data (rule), and who reads it
// directly: checks of tags (check), API conventions (lint), defaults (defaulting), schemas (schema) and verdicts on JSON
// objects (eval).
//
// A model enters, and programs of rules, schemas and diagnostics leave. It may know core.
package rules
