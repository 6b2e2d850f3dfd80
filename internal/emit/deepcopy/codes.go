package deepcopy

import "github.com/kindsmith/kindsmith/internal/diag"

// Diagnostic codes.
var (
	codes diag.Codes

	codeBadInterface = codes.New("deepcopy/bad-interface", "The marker names the interfaces that a type is to be copied as: `<import path>.<Name>`, with commas in between. What it says is no such name.")
	codeGeneric      = codes.New("deepcopy/generic", "No copy functions are generated for generic types. Write DeepCopyInto and DeepCopy by hand, or leave the type out with `+kubebuilder:object:generate=false`.")
	codeInterface    = codes.New("deepcopy/interface", "What an interface holds is known at run time only. It can be copied if it has a method `DeepCopy<Name>() <Name>`; for free-form values use runtime.RawExtension or apiextensionsv1.JSON.")
	codeNoMethod     = codes.New("deepcopy/no-method", "The type holds pointers, lists or maps and has no DeepCopyInto method, so a copy would share them with its original. Generate for its package too, or write the method by hand.")
	codeNotData      = codes.New("deepcopy/not-data", "Channels, functions and unsafe pointers are not data and cannot be copied.")
	codeRecursive    = codes.New("deepcopy/recursive", "A type that contains itself without a struct in between can only be copied by a method of its own. Give it a DeepCopyInto.")
	codeUnknownType  = codes.New("deepcopy/unknown-type", "The declaration of the type is not in the build, so nobody knows how to copy it.")
)
