package main

import (
	"fmt"

	v1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apiserver/pkg/admission/plugin/cel"
	"k8s.io/apiserver/pkg/admission/plugin/policy/validating"
	"k8s.io/apiserver/pkg/admission/plugin/webhook/matchconditions"
	"k8s.io/apiserver/pkg/cel/environment"
)

// setup is the first line of standard input.
type setup struct {
	Kinds []kind `json:"kinds"`
	// Several sets of policies, one for each configuration; a write names its own by index.
	PolicySets []policySet `json:"policySets"`
}

// kind is one that the cluster serves.
type kind struct {
	Group      string   `json:"group"`
	Versions   []string `json:"versions"`
	Kind       string   `json:"kind"`
	Plural     string   `json:"plural"`
	Namespaced bool     `json:"namespaced"`
}

type policySet struct {
	Policies []*v1.ValidatingAdmissionPolicy        `json:"policies"`
	Bindings []*v1.ValidatingAdmissionPolicyBinding `json:"bindings"`
}

// hooks returns the policies compiled, each with its bindings.
func (s policySet) hooks() ([]validating.PolicyHook, error) {
	hooks := make([]validating.PolicyHook, 0, len(s.Policies))
	for _, policy := range s.Policies {
		setDefaults(policy)
		compiled, err := compile(policy)
		if err != nil {
			return nil, fmt.Errorf("policy %s: %w", policy.Name, err)
		}
		hook := validating.PolicyHook{Policy: policy, Evaluator: compiled}
		for _, binding := range s.Bindings {
			if binding.Spec.PolicyName == policy.Name {
				hook.Bindings = append(hook.Bindings, binding)
			}
		}
		hooks = append(hooks, hook)
	}
	return hooks, nil
}

// setDefaults fills in what the API server fills in when it stores a policy.
func setDefaults(policy *v1.ValidatingAdmissionPolicy) {
	constraints := policy.Spec.MatchConstraints
	if constraints.NamespaceSelector == nil {
		constraints.NamespaceSelector = &metav1.LabelSelector{}
	}
	if constraints.ObjectSelector == nil {
		constraints.ObjectSelector = &metav1.LabelSelector{}
	}
}

// compile does what the plugin's own compilePolicy does, which is not exported.
func compile(policy *v1.ValidatingAdmissionPolicy) (validating.Validator, error) {
	hasParams := policy.Spec.ParamKind != nil
	withAuthorizer := cel.OptionalVariableDeclarations{HasParams: hasParams, HasAuthorizer: true}
	withoutAuthorizer := cel.OptionalVariableDeclarations{HasParams: hasParams}
	compiler, err := cel.NewCompositedCompiler(environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion()))
	if err != nil {
		return nil, err
	}
	variables := make([]cel.NamedExpressionAccessor, len(policy.Spec.Variables))
	for i, variable := range policy.Spec.Variables {
		variables[i] = &validating.Variable{Name: variable.Name, Expression: variable.Expression}
	}
	compiler.CompileAndStoreVariables(variables, withAuthorizer, environment.StoredExpressions)
	failurePolicy := policy.Spec.FailurePolicy
	var matcher matchconditions.Matcher
	if conditions := policy.Spec.MatchConditions; len(conditions) > 0 {
		expressions := make([]cel.ExpressionAccessor, len(conditions))
		for i := range conditions {
			expressions[i] = (*matchconditions.MatchCondition)(&conditions[i])
		}
		compiled := compiler.CompileCondition(expressions, withAuthorizer, environment.StoredExpressions)
		matcher = matchconditions.NewMatcher(compiled, failurePolicy, "policy", "validate", policy.Name)
	}
	validations := make([]cel.ExpressionAccessor, len(policy.Spec.Validations))
	messages := make([]cel.ExpressionAccessor, len(policy.Spec.Validations))
	for i, one := range policy.Spec.Validations {
		validations[i] = &validating.ValidationCondition{Expression: one.Expression, Message: one.Message, Reason: one.Reason}
		if one.MessageExpression != "" {
			messages[i] = &validating.MessageExpressionCondition{MessageExpression: one.MessageExpression}
		}
	}
	return validating.NewValidator(
		compiler.CompileCondition(validations, withAuthorizer, environment.StoredExpressions),
		matcher,
		compiler.CompileCondition(nil, withAuthorizer, environment.StoredExpressions),
		compiler.CompileCondition(messages, withoutAuthorizer, environment.StoredExpressions),
		failurePolicy,
		nil,
	), nil
}
