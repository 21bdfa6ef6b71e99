#include "nn/tools/draw/draw.h"
#include "nn/tools/draw/svg.h"
#include "nn/tools/explain/document.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace regard {
namespace {

constexpr std::size_t most_drawn = 40'000;  // nodes and lines in all pictures of a page, about

// A page needs no script: it holds a picture for each click, and shows the one that its address asks for. "#b7" is the
// one in which box 7 is open, and the boxes around it are; "#level2" the one in which all are that have fewer than two
// around them; without either it is the drawing as it came.
class Page {
 public:
  explicit Page(const Drawing& drawing) : drawing_(drawing), looks_(looks_of(drawing)) { choose(); }

  std::string levels;  // links to them

  std::string pictures() {
    add_picture("class=\"first\"");
    for (box_ = drawing_.nodes.size(); box_-- > 0;) {
      if (!can_open_[box_]) continue;
      open_only(box_);
      add_picture(box_ == 0 ? "id=\"b0\"" : "");
    }
    box_ = 0;
    for (int level = 1; unfold_more(); ++level) {
      add_picture(fmt::format("id=\"level{}\"", level));
      levels += fmt::format(" <a href=\"#level{0}\">{0}</a>", level);
    }
    return text_;
  }

 private:
  // Where a single operation is all that is inside, there is nothing more to see.
  bool has_more_inside(std::size_t node) const {
    return drawing_.nodes[node].children.size() > (drawing_.nodes[node].operations == 1 ? 1 : 0);
  }

  // While there is room, those whose pictures are small.
  void choose() {
    std::vector<std::size_t> inside;  // how much is drawn right inside each box
    for (const DrawnNode& node : drawing_.nodes) inside.push_back(node.children.size());
    for (const DrawnLine& line : drawing_.lines) ++inside[drawing_.box_of(line)];
    std::vector<std::pair<std::size_t, std::size_t>> boxes;  // each after how much is in sight when it is open
    for (std::size_t i = 0; i < drawing_.nodes.size(); ++i) {
      if (i > 0 && !has_more_inside(i)) continue;
      std::size_t in_sight = inside[i];
      for (std::size_t inner = i; inner != 0; inner = drawing_.nodes[inner].box)
        in_sight += stands_for_all(inner) ? 1 : inside[drawing_.nodes[inner].box];
      boxes.push_back({in_sight, i});
    }
    std::sort(boxes.begin(), boxes.end());
    can_open_.resize(drawing_.nodes.size());
    std::size_t sum = 0;
    for (const auto& [in_sight, box] : boxes) can_open_[box] = (sum += in_sight) <= most_drawn || box == 0;
  }
  bool stands_for_all(std::size_t node) const {
    const DrawnNode& around = drawing_.nodes[drawing_.nodes[node].box];
    return around.times > 1 && around.children[0] == node;
  }

  // The box and those around it are open.
  void open_only(std::size_t box) {
    for (DrawnNode& node : drawing_.nodes) node.folded = true;
    drawing_.nodes[box].folded = false;
    for (std::size_t inner = box; inner != 0; inner = drawing_.nodes[inner].box)
      drawing_.nodes[drawing_.nodes[inner].box].folded = stands_for_all(inner);
  }

  // All that is folded in the last picture; of equal parts one goes on to stand for all.
  bool unfold_more() {
    bool any = false;
    for (const Picture::Frame& frame : picture_.frames) {
      if (frame.open || !has_more_inside(frame.node)) continue;
      drawing_.nodes[frame.node].folded = false;
      any = true;
    }
    return any && picture_.frames.size() + picture_.paths.size() < most_drawn / 4;
  }

  // A click opens a box, or shows all of equal parts; on one that is open it leads to where the box around it is.
  std::string link_of(std::size_t node) const {
    const DrawnNode& one = drawing_.nodes[node];
    std::size_t to = one.folded ? node : one.box;
    if (!one.folded && drawing_.shows_one_for_all(to)) to = drawing_.nodes[to].box;
    if (one.children.empty() || !can_open_[to]) return "";
    return fmt::format("{}href=\"#b{}\"", node == box_ ? fmt::format("id=\"b{}\" ", node) : "", to);
  }

  void add_picture(const std::string& attributes) {
    picture_ = lay_out(drawing_);
    const auto link = [this](std::size_t node) { return link_of(node); };
    text_ += fmt::format("<section {}>\n{}</section>\n", attributes, svg_of(drawing_, picture_, looks_, "", link));
  }

  Drawing drawing_;
  std::vector<LineLook> looks_;
  std::vector<bool> can_open_;
  std::size_t box_ = 0;  // that was clicked
  Picture picture_;
  std::string text_;
};

}  // namespace

std::string to_html(const Drawing& drawing, const std::string& title) {
  Page page(drawing);
  const std::string pictures = page.pictures();
  std::string html(drawing_page);
  fill_in(html, "style", std::string(drawing_style) + std::string(drawing_page_style));
  fill_in(html, "title", for_html(title));
  fill_in(html, "heading", for_html(title));
  fill_in(html, "levels", page.levels);
  fill_in(html, "pictures", pictures);
  return html;
}

}  // namespace regard
