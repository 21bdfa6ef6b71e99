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

void Document::heading(const std::string& words) {
  text_ += (text_.empty() ? "" : "\n") + words + "\n";
  html_ += fmt::format("<h2>{}</h2>\n", for_html(words));
}

void Document::sentence(const std::string& words) {
  text_ += words + "\n";
  html_ += fmt::format("<p>{}</p>\n", for_html(words));
}

void Document::table(const Row& names, std::vector<Row> rows) {
  rows.insert(rows.begin(), names);
  std::vector<std::size_t> widths(names.size(), 0);
  for (const Row& row : rows)
    for (std::size_t i = 0; i < widths.size(); ++i) widths[i] = std::max(widths[i], letter_count(row[i]));
  html_ += "<div><table>\n";
  for (const Row& row : rows) {
    const char* tag = &row == &rows[0] ? "th" : "td";
    std::string line;
    html_ += "<tr>";
    for (std::size_t i = 0; i < widths.size(); ++i) {
      const std::string space(widths[i] - letter_count(row[i]), ' ');
      line += is_number(row[i]) ? "  " + space + row[i] : "  " + row[i] + space;
      html_ += fmt::format("<{0}{1}>{2}</{0}>", tag, is_number(row[i]) ? " class=\"number\"" : "", for_html(row[i]));
    }
    text_ += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
    html_ += "</tr>\n";
  }
  html_ += "</table></div>\n";
}

std::string Document::html(const std::string& title) const { return fmt::format(whole_page, for_html(title), html_); }

}  // namespace regard
