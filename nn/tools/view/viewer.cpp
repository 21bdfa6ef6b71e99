#include "nn/tools/view/viewer.h"

#include "nn/text/unicode.h"
#include "nn/tools/explain/document.h"
#include "nn/tools/view/packing.h"
#include "tensor/io/file.h"
#include "tensor/ops/pointwise.h"

#include <algorithm>
#include <cmath>

namespace regard::nn {
namespace {

// A token may be a piece of a character: bytes that are none are written as \xE2.
std::string as_utf8(const std::string& text) {
  std::string result;
  for (std::size_t i = 0; i < text.size();) {
    const auto [code, bytes] = first_character(std::string_view(text).substr(i));
    result +=
        code == not_a_character ? fmt::format("\\x{:02X}", static_cast<unsigned char>(text[i])) : text.substr(i, bytes);
    i += bytes;
  }
  return result;
}

// JSON that may stand in a page: no text in it can end the element, or begin another.
std::string in_page(const Json& value) {
  std::string safe;
  for (const char c : to_json(value))
    if (c == '<' || c == '>' || c == '&')
      safe += fmt::format("\\u{:04x}", static_cast<int>(c));
    else
      safe += c;
  return safe;
}

std::int64_t list_of(const ViewerTokens& tokens, const std::string& name, const RecordedAttention& one,
                     std::int64_t count, const char* what) {
  if (tokens.lists.empty()) fail<ValueError>("write_viewer: no tokens are given");
  const bool is_the_first = name.empty() || tokens.lists.size() == 1;
  const auto list = is_the_first ? tokens.lists.begin() : std::ranges::find(tokens.lists, name, &TokenList::name);
  if (list == tokens.lists.end())
    fail<ValueError>("write_viewer: the {} of '{}' are '{}', and no list of tokens has this name", what, one.name,
                     name);
  if (std::ssize(list->tokens) < count)
    fail<ValueError>("write_viewer: '{}' has {} {}, and the list '{}' {} tokens", one.name, count, what, list->name,
                     list->tokens.size());
  return list - tokens.lists.begin();
}

Json texts(const std::vector<std::string>& list) {
  JsonList all;
  for (const std::string& text : list) all.emplace_back().value = as_utf8(text);
  return {std::move(all)};
}

Json json_of(const TokenPicture& picture, Blobs& blobs) {
  const Tensor& pixels = picture.pixels;
  if (pixels.rank() != 2 || picture.rows < 1 || picture.columns < 1)
    fail<ShapeError>("write_viewer: a picture {} of {} × {} patches", pixels.shape(), picture.rows, picture.columns);
  std::string bytes;
  for (const double p : to_vector(pixels))
    bytes += static_cast<char>(static_cast<unsigned char>(std::clamp(std::round(255 * p), 0.0, 255.0)));
  JsonObject made;
  made["height"].value = pixels.size(0);
  made["width"].value = pixels.size(1);
  made["rows"].value = picture.rows;
  made["columns"].value = picture.columns;
  made["first"].value = picture.first;
  made["pixels"] = blobs.add(bytes);
  return {std::move(made)};
}

JsonList lists_of(const ViewerTokens& tokens, Blobs& blobs) {
  JsonList lists;
  for (const TokenList& list : tokens.lists) {
    JsonObject made;
    made["name"].value = as_utf8(list.name);
    made["tokens"] = texts(list.tokens);
    if (list.picture) made["picture"] = json_of(*list.picture, blobs);
    lists.emplace_back().value = std::move(made);
  }
  return lists;
}

// As the page writes it behind its #.
std::string address_of(const ViewerOpening& opening, const std::vector<std::string>& names) {
  std::string address;
  if (!opening.attention.empty()) {
    const auto found = std::find(names.begin(), names.end(), opening.attention);
    if (found == names.end())
      fail<ValueError>("write_viewer: it should open with '{}', and no attention of the recording has this name",
                       opening.attention);
    address += fmt::format("&layer={}", found - names.begin());
  }
  if (opening.head >= 0) address += fmt::format("&head={0}&heads={0}", opening.head);
  if (opening.query >= 0) address += fmt::format("&query={}", opening.query);
  if (opening.key >= 0) address += fmt::format("&key={}", opening.key);
  return address;
}

}  // namespace

void write_viewer(const Recording& recording, const ViewerTokens& tokens, const std::filesystem::path& file,
                  const ViewerOptions& options) {
  if (recording.empty()) fail<ValueError>("write_viewer: nothing was recorded");
  const std::vector<std::string> steps = recording.steps(), names = recording.names();
  const auto number_in = [](const std::vector<std::string>& all, const std::string& word) {
    return std::int64_t{std::distance(all.begin(), std::find(all.begin(), all.end(), word))};
  };
  Blobs blobs;
  JsonList attentions;
  for (std::size_t i = 0; i < recording.size(); ++i) {
    const RecordedAttention& one = recording[i];
    if (one.of_some)
      fail<ValueError>(
          "write_viewer: of '{}' only some queries were recorded, and the page needs all: record without .some",
          one.name);
    JsonObject made = pack(one, blobs);
    made["step"].value = number_in(steps, one.step);
    made["layer"].value = number_in(names, one.name);
    made["queryList"].value = list_of(tokens, one.queries, one, one.offset + one.query_count(), "queries");
    made["keyList"].value = list_of(tokens, one.keys, one, one.key_count(), "keys");
    attentions.emplace_back().value = std::move(made);
  }
  JsonObject data;
  data["title"].value = as_utf8(options.title);
  data["about"].value = as_utf8(options.opening.about);
  data["opening"].value = address_of(options.opening, names);
  data["back"].value = as_utf8(options.back);
  data["lists"].value = lists_of(tokens, blobs);
  data["steps"] = texts(steps);
  data["layers"] = texts(names);
  data["attentions"].value = std::move(attentions);

  std::string page(page_html);
  fill_in(page, "style", page_style);
  fill_in(page, "script", page_script);
  fill_in(page, "data", in_page({std::move(data)}));
  fill_in(page, "blobs", blobs.to_html());
  write_file(file, page);
}

}  // namespace regard::nn
