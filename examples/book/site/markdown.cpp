#include "examples/book/site/markdown.h"

#include <cmark-gfm-core-extensions.h>
#include <cmark-gfm-extension_api.h>
#include <cmark-gfm.h>

#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

namespace regard::site {

namespace {

// GitHub's Markdown has tables and struck text beyond the standard.
constexpr const char* extensions[] = {"table", "strikethrough"};

cmark_node* parse(const std::string& text) {
  cmark_gfm_core_extensions_ensure_registered();
  cmark_parser* parser = cmark_parser_new(CMARK_OPT_DEFAULT);
  for (const char* extension : extensions) {
    cmark_syntax_extension* found = cmark_find_syntax_extension(extension);
    if (!found) throw std::runtime_error("this cmark-gfm has no tables");
    cmark_parser_attach_syntax_extension(parser, found);
  }
  cmark_parser_feed(parser, text.data(), text.size());
  cmark_node* root = cmark_parser_finish(parser);
  cmark_parser_free(parser);
  return root;
}

}  // namespace

Markdown::Markdown(const std::string& text) : root_(parse(text)) {}

void Markdown::Free::operator()(cmark_node* node) const { cmark_node_free(node); }

std::string Markdown::html() const {
  // "Unsafe" lets HTML through: all of it was put in by us, what pages bring is refused before.
  char* text = cmark_render_html(root_.get(), CMARK_OPT_UNSAFE, nullptr);
  std::string html = text;
  std::free(text);
  return html;
}

std::vector<cmark_node*> nodes_of(cmark_node* root) {
  std::vector<cmark_node*> nodes;
  cmark_iter* walk = cmark_iter_new(root);
  for (cmark_event_type event; (event = cmark_iter_next(walk)) != CMARK_EVENT_DONE;)
    if (event == CMARK_EVENT_ENTER) nodes.push_back(cmark_iter_get_node(walk));
  cmark_iter_free(walk);
  return nodes;
}

std::string kind_of(cmark_node* node) { return cmark_node_get_type_string(node); }

std::string text_of(cmark_node* node) {
  std::string text;
  for (cmark_node* inside : nodes_of(node)) {
    const char* literal = cmark_node_get_literal(inside);
    const std::string kind = kind_of(inside);
    if (kind == "softbreak" || kind == "linebreak") text += ' ';
    if (literal && kind != "html_inline" && kind != "html_block") text += literal;
  }
  return text;
}

namespace {

void replace(cmark_node* node, cmark_node_type type, const std::string& html) {
  cmark_node* made = cmark_node_new(type);
  cmark_node_set_literal(made, html.c_str());
  cmark_node_replace(node, made);
  cmark_node_free(node);
}

}  // namespace

void replace_block(cmark_node* node, const std::string& html) { replace(node, CMARK_NODE_HTML_BLOCK, html); }
void replace_inline(cmark_node* node, const std::string& html) { replace(node, CMARK_NODE_HTML_INLINE, html); }

}  // namespace regard::site
