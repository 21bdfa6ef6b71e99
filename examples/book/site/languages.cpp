#include "examples/book/site/languages.h"

#include <functional>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <string_view>

namespace regard::site {

namespace {

std::set<std::string, std::less<>> words(const std::string& text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), std::istream_iterator<std::string>()};
}

const Language cpp{
    .line_comment = "//",
    .comment_begins = "/*",
    .comment_ends = "*/",
    .quotes = "\"'",
    .has_directives = true,
    .has_raw_strings = true,
    .keywords =
        words("alignas auto break case catch class concept const const_cast consteval constexpr constinit continue "
              "decltype default delete do else enum explicit extern false final for friend goto if inline mutable "
              "namespace new noexcept nullptr operator override private protected public reinterpret_cast requires "
              "return sizeof static static_assert static_cast struct switch template this throw true try typedef "
              "typename union using virtual volatile while"),
    .types = words("DType Generator Shape Tensor Variable bool char double float int int32_t int64_t long short signed "
                   "size_t string string_view uint32_t uint64_t uint8_t unsigned vector void")};

const Language shell{
    .line_comment = "#",
    .quotes = "\"'",
    .has_variables = true,
    .keywords =
        words("case do done elif else esac exec exit export fi for function if in local return set source then trap "
              "while")};

const Language cmake{
    .line_comment = "#",
    .quotes = "\"",
    .has_variables = true,
    .keywords =
        words("else elseif endforeach endfunction endif find_package foreach function if include message option "
              "project return set")};

const Language python{
    .line_comment = "#",
    .quotes = "\"'",
    .keywords =
        words("False None True and as assert break class continue def del elif else except finally for from global "
              "if import in is lambda not or pass raise return try while with yield")};

}  // namespace

const Language* language_named(std::string_view name) {
  static const std::map<std::string_view, const Language*> languages = {
      {"cpp", &cpp}, {"sh", &shell}, {"bash", &shell}, {"cmake", &cmake}, {"py", &python}, {"python", &python}};
  const auto found = languages.find(name);
  return found == languages.end() ? nullptr : found->second;
}

}  // namespace regard::site
