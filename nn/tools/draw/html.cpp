#include "nn/tools/draw/html.h"

#include "nn/tools/draw/body.h"
#include "nn/tools/draw/looks.h"
#include "nn/tools/draw/page.h"
#include "nn/tools/draw/picture.h"
#include "nn/tools/explain/document.h"

#include <fmt/format.h>

#include <string_view>
#include <vector>

namespace regard {
namespace {

// JSON that may stand in a page: no text in it can end the element, or begin another.
std::string text(std::string_view words) {
  std::string json = "\"";
  for (const char c : words)
    if (c == '"' || c == '\\' || c == '<' || c == '>' || c == '&' || static_cast<unsigned char>(c) < ' ')
      json += fmt::format("\\u{:04x}", static_cast<int>(c));
    else
      json += c;
  return json + '"';
}

// As many of them, each as write says, with commas between.
template <class List, class Write>
std::string list(const List& all, const Write& write) {
  std::string json = "[";
  for (const auto& one : all) json += (json.size() > 1 ? "," : "") + write(one);
  return json + "]";
}
std::string numbers(const std::vector<std::size_t>& all) {
  return list(all, [](std::size_t i) { return std::to_string(i); });
}

std::string json_of(const Body& body) {
  std::string mentions;
  for (std::size_t i = body.items.size(); i < body.graph.items(); ++i)
    mentions += body.graph.is_mention(i) ? (mentions.empty() ? "" : ",") + std::to_string(i) : "";
  const auto item = [](const Body::Item& one) { return fmt::format("[{},{}]", static_cast<int>(one.kind), one.node); };
  const auto line = [](const Body::Line& one) { return fmt::format("[{},{}]", one.line, one.from); };
  return fmt::format("{{\"items\":{},\"count\":{},\"mentions\":[{}],\"rows\":{},\"lines\":{},\"ways\":{}}}",
                     list(body.items, item), body.graph.items(), mentions, list(body.graph.rows, numbers),
                     list(body.lines, line), list(body.graph.lines, numbers));
}

std::string json_of(const Drawing& drawing) {
  const auto by_box = lines_by_box(drawing);
  std::string bodies;
  for (std::size_t i = 0; i < drawing.nodes.size(); ++i) {
    const DrawnNode& node = drawing.nodes[i];
    if (node.children.empty()) continue;
    bodies +=
        fmt::format("{}\"{}\":{{\"all\":{}", bodies.empty() ? "" : ",", i, json_of(body_of(drawing, i, true, by_box)));
    if (node.times > 1) bodies += ",\"one\":" + json_of(body_of(drawing, i, false, by_box));
    bodies += "}";
  }
  const auto node = [](const DrawnNode& one) {
    const Inscription words = inscription_of(one);
    return fmt::format(
        "{{\"look\":{},\"name\":{},\"shape\":{},\"formula\":{},\"told\":{},\"box\":{},\"times\":{},"
        "\"folded\":{},\"width\":{:.6g},\"height\":{:.6g}}}",
        text(look_of(one.kind)), text(words.name), text(words.shape), text(words.formula),
        text(one.told.empty() ? one.name : one.told), one.box, one.times, one.folded, words.width, words.height);
  };
  const auto stroke = [](const LineLook& one) {
    return fmt::format("[{:.2f},{},{}]", one.width, text(one.look), text(one.told));
  };
  return fmt::format("{{\"nodes\":{},\"strokes\":{},\"bodies\":{{{}}}}}", list(drawing.nodes, node),
                     list(looks_of(drawing), stroke), bodies);
}

std::string with(std::string page, std::string_view mark, std::string_view by) {
  return page.replace(page.find(mark), mark.size(), by);
}

}  // namespace

std::string to_html(const Drawing& drawing, const std::string& title) {
  std::string page(drawing_page);
  page = with(std::move(page), "<!--script-->", drawing_script);
  page = with(std::move(page), "<!--data-->", json_of(drawing));
  page = with(std::move(page), "<!--style-->", std::string(drawing_style) + std::string(drawing_page_style));
  page = with(std::move(page), "<!--title-->", for_html(title));
  return with(std::move(page), "<!--heading-->", for_html(title));
}

}  // namespace regard
