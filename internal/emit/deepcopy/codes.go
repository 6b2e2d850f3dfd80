package deepcopy

import "github.com/kindsmith/kindsmith/internal/core/diag"

// Diagnostic codes.
var (
	codes = diag.Firm(diag.DeepCopy)

	codeBadInterface = codes.New("deepcopy/bad-interface", "The marker's value is not an interface name. Write `<import path>.<Name>`, and separate several interfaces with commas.")
	codeGeneric      = codes.New("deepcopy/generic", "Generic types get no copy methods: the instances that types of their package use are copied by functions. No type of its package uses this one, and other packages cannot copy it. Write DeepCopyInto and DeepCopy by hand, or leave the type out with `+kubebuilder:object:generate=false`.")
	codeInterface    = codes.New("deepcopy/interface", "The type of an interface value is known only at run time. Generated code can copy it if the interface has a method `DeepCopy<Name>() <Name>`; for free-form values use runtime.RawExtension or apiextensionsv1.JSON.")
	codeNotObject    = codes.New("deepcopy/not-object", "A marker makes the type a runtime.Object, such as `+kubebuilder:object:root=true`. The interface's second method, GetObjectKind, comes with an embedded metav1.TypeMeta. Without it the generated code does not compile. Embed metav1.TypeMeta, and metav1.ObjectMeta in a kind, or remove the marker.")
	codeNoMethod     = codes.New("deepcopy/no-method", "The type holds pointers, lists or maps and has no DeepCopyInto method, so a copy would share them with its original. Generate for its package too, or write the method by hand.")
	codeNotData      = codes.New("deepcopy/not-data", "Channels, functions and unsafe pointers are not data and cannot be copied.")
	codeRecursive    = codes.New("deepcopy/recursive", "The type contains itself without a struct in between. Write its DeepCopyInto method.")
	codeSignature    = codes.New("deepcopy/signature", "A hand-written method has the name of a copy method but another signature: DeepCopyInto takes a pointer to the copy and has no result, DeepCopy takes nothing and returns the copy or a pointer to it. Generated code copies the fields of the type instead of calling it. Callers that know the usual methods do not find them: change the signature, or rename the method.")
	codeUnknownType  = codes.New("deepcopy/unknown-type", "The declaration of the type is not in the build, so kindsmith cannot generate code that copies it.")
)
