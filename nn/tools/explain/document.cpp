#include "nn/tools/explain/document.h"

#include "tensor/error.h"

#include <fmt/format.h>

#include <algorithm>

namespace regard {
namespace {

bool is_number(std::string_view cell) {
  return !cell.empty() && cell.find_first_not_of("0123456789.+-e %") == std::string_view::npos;
}

constexpr const char* whole_page = R"(<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>{}</title><style>
:root {{ color-scheme: light dark; }}
body {{ font: 16px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }}
div {{ overflow-x: auto; }}
table {{ border-collapse: collapse; margin: 0.5rem 0; }}
th, td {{ padding: 0.15rem 0.8rem 0.15rem 0; text-align: left; border-bottom: 1px solid #8886; white-space: nowrap; }}
td.number {{ text-align: right; font-variant-numeric: tabular-nums; }}
</style></head><body>
{}</body></html>
)";

}  // namespace

std::string for_html(const std::string& text) {
  std::string result;
  for (const char c : text) switch (c) {
      case '&': result += "&amp;"; break;
      case '<': result += "&lt;"; break;
      case '>': result += "&gt;"; break;
      case '"': result += "&quot;"; break;
      default: result += c;
    }
  return result;
}

void fill_in(std::string& page, const std::string& name, std::string_view text) {
  const std::string mark = "<!--" + name + "-->";
  page.replace(page.find(mark), mark.size(), text);
}

void Document::table(const Row& names, const std::vector<Row>& rows) {
  blocks_.push_back({Kind::table, "", {names}});
  blocks_.back().rows.insert(blocks_.back().rows.end(), rows.begin(), rows.end());
}

std::string Document::text() const {
  std::string text;
  for (const auto& [kind, words, rows] : blocks_) {
    if (kind == Kind::heading) text += (text.empty() ? "" : "\n") + words + "\n";
    if (kind == Kind::sentence) text += words + "\n";
    std::vector<std::size_t> widths(rows.empty() ? 0 : rows[0].size(), 0);
    for (const Row& row : rows)
      for (std::size_t i = 0; i < widths.size(); ++i) widths[i] = std::max(widths[i], letter_count(row[i]));
    for (const Row& row : rows) {
      std::string line;
      for (std::size_t i = 0; i < widths.size(); ++i) {
        const std::string space(widths[i] - letter_count(row[i]), ' ');
        line += (is_number(row[i]) ? "  " + space + row[i] : "  " + row[i] + space);
      }
      text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
    }
  }
  return text;
}

std::string Document::html(const std::string& title) const {
  std::string text;
  for (const auto& [kind, words, rows] : blocks_) {
    if (kind == Kind::heading) text += fmt::format("<h2>{}</h2>\n", for_html(words));
    if (kind == Kind::sentence) text += fmt::format("<p>{}</p>\n", for_html(words));
    if (rows.empty()) continue;
    text += "<div><table>\n";
    for (std::size_t r = 0; r < rows.size(); ++r) {
      text += "<tr>";
      for (const std::string& cell : rows[r])
        text += r == 0            ? fmt::format("<th>{}</th>", for_html(cell))
                : is_number(cell) ? fmt::format("<td class=\"number\">{}</td>", for_html(cell))
                                  : fmt::format("<td>{}</td>", for_html(cell));
      text += "</tr>\n";
    }
    text += "</table></div>\n";
  }
  return fmt::format(whole_page, for_html(title), text);
}

}  // namespace regard
