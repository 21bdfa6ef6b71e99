#include "examples/book/site/formula_symbols.h"

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace regard::site {

namespace {

// Names and what they show, in turn.
struct Symbols {
  Kind kind;
  std::string_view text;
};
constexpr Symbols commands[] = {
    {Kind::ordinary,
     "alpha α  beta β  gamma γ  delta δ  epsilon ϵ  varepsilon ε  zeta ζ  eta η  theta θ  iota ι  "
     "kappa κ  lambda λ  mu μ  nu ν  xi ξ  pi π  rho ρ  sigma σ  tau τ  phi ϕ  varphi φ  chi χ  psi ψ  "
     "omega ω  Gamma Γ  Delta Δ  Theta Θ  Lambda Λ  Pi Π  Sigma Σ  Phi Φ  Psi Ψ  Omega Ω  partial ∂  "
     "nabla ∇  infty ∞  ell ℓ  forall ∀  exists ∃  ldots …  cdots ⋯  vdots ⋮  ddots ⋱  | ‖  % %  _ _  "
     "# #  & &amp;"},
    {Kind::function, "sin sin  cos cos  tan tan  sinh sinh  cosh cosh  tanh tanh  exp exp  ln ln  log log  det det"},
    {Kind::large, "sum ∑  prod ∏  max max  min min  lim lim"},
    {Kind::binary, "cdot ⋅  times ×  odot ⊙  oplus ⊕  otimes ⊗  circ ∘  pm ±  mp ∓  cup ∪  cap ∩"},
    {Kind::relation,
     "approx ≈  sim ∼  equiv ≡  propto ∝  le ≤  leq ≤  ge ≥  geq ≥  ne ≠  neq ≠  ll ≪  gg ≫  in ∈  "
     "notin ∉  subset ⊂  to →  rightarrow →  leftarrow ←  Rightarrow ⇒  mapsto ↦  mid ∣"},
    {Kind::open, "{ {  langle ⟨  lfloor ⌊  lceil ⌈"},
    {Kind::close, "} }  rangle ⟩  rfloor ⌋  rceil ⌉"},
    {Kind::space, ", 0.1667  : 0.2222  ; 0.2778  ! -0.1667  quad 1  qquad 2"},
};

std::map<std::string, Symbol, std::less<>> table_of_commands() {
  std::map<std::string, Symbol, std::less<>> table = {{" ", {Kind::space, "0.25"}}};
  for (const auto& [kind, text] : commands) {
    auto next = [rest = text]() mutable {
      rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
      const std::string_view first = rest.substr(0, rest.find(' '));
      rest.remove_prefix(first.size());
      return first;
    };
    for (std::string_view name; !(name = next()).empty();) table.emplace(name, Symbol{kind, next()});
  }
  return table;
}

}  // namespace

const Symbol* symbol_of_command(const std::string& name) {
  static const std::map<std::string, Symbol, std::less<>> symbols = table_of_commands();
  const auto found = symbols.find(name);
  return found == symbols.end() ? nullptr : &found->second;
}

const Symbol* symbol_of_character(char c) {
  using enum Kind;
  static const std::map<char, Symbol> symbols = {
      {'(', {open, "("}},        {'[', {open, "["}},        {')', {close, ")"}},    {']', {close, "]"}},
      {'|', {ordinary, "|"}},    {'/', {ordinary, "/"}},    {'!', {ordinary, "!"}}, {'.', {ordinary, "."}},
      {'+', {binary, "+"}},      {'-', {binary, "−"}},      {'*', {binary, "∗"}},   {'=', {relation, "="}},
      {'<', {relation, "&lt;"}}, {'>', {relation, "&gt;"}}, {':', {relation, ":"}}, {',', {punctuation, ","}},
      {';', {punctuation, ";"}}, {'?', {ordinary, "?"}},    {'~', {space, "0.25"}},
  };
  const auto found = symbols.find(c);
  return found == symbols.end() ? nullptr : &found->second;
}

}  // namespace regard::site
