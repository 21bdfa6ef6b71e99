// What a trainer draws and shows: pictures, how they looked on the way, viewers, and the list of them for the gallery.
#include "examples/trainers/together.h"
#include "examples/trainers/trainer.h"
#include "examples/trainers/watch_picture.h"
#include "examples/trainers/watched.h"
#include "tensor/io/file.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <sstream>

namespace regard {
namespace {

// The name tells the epoch, so that a training which goes on from a checkpoint makes the same files.
std::string frame_file(const std::string& picture, std::int64_t epoch) {
  return fmt::format("{}.{:06}.png", picture, epoch);
}
std::string after(std::int64_t epochs) { return fmt::format("after {} epoch{}", epochs, epochs == 1 ? "" : "s"); }

// Pictures that the page before listed and this one does not would mislead whoever opens the folder. What no page has
// listed is not ours, and stays.
void remove_pictures_of_before(const std::filesystem::path& folder, const std::string& before,
                               const std::string& page) {
  std::istringstream lines(before);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream cells(line);
    std::string kind, file;
    if (!std::getline(cells, kind, '\t') || (kind != "frame" && kind != "picture") || !std::getline(cells, file, '\t'))
      continue;
    if (file.ends_with(".png") && file.find('/') == std::string::npos &&
        page.find("\t" + file + "\t") == std::string::npos)
      std::filesystem::remove(folder / file);
  }
}

}  // namespace

void Trainer::picture(const std::string& name, const std::function<plot::Figure()>& figure, const std::string& caption,
                      const std::string& notice) {
  if (no_plots_) return;
  const auto is_taken = [&](const Picture& other) { return other.file == name + ".png"; };
  if (std::ranges::any_of(pictures_, is_taken)) fail<ValueError>("{}: two pictures have the name '{}'", name_, name);
  const std::filesystem::path path = std::filesystem::path(out_) / name_ / (name + ".png");
  const plot::Image image = figure().draw();
  try_to("--out", [&] {
    plot::write_png(image, path);
    pictures_.push_back({name + ".png", caption, notice, image.width / 2, frames_at_[name]});
    tell(path.string());
  });
}

void Trainer::frame(const std::string& name, const std::function<plot::Figure()>& figure) {
  if (no_plots_) return;
  const plot::Image image = figure().draw();
  try_to("--out", [&] {
    plot::write_png(image, std::filesystem::path(out_) / name_ / frame_file(name, epoch_));
    frames_at_[name].push_back(epoch_);
  });
}

void Trainer::show_watched() {
  if (!watch_) return;
  if (together().ranks.first() && watching().models.empty()) tell("--watch: there was no step to look at");
  tell_warnings();
  for (const Watching::Model& model : watching().models) {
    const nn::Watch& watch = *model.watch;
    if (!has_watch_figure(watch)) continue;
    const std::string which = name_of(watch);
    picture(
        which.empty() ? "watch" : "watch_" + which.substr(6),
        [&] { return watch_figure(watch, which.empty() ? name_ : name_ + ", " + which); },
        "Parameters, activations and heads while the model learned" + (which.empty() ? "" : ": " + which),
        watch_notice(watch));
  }
}

void Trainer::view(const std::string& name, const nn::ViewerTokens& tokens, Look look) {
  if (no_plots_ && view_.empty()) return;
  viewers_.push_back({name, tokens, std::move(look)});
  Viewer& added = viewers_.back();
  if (trained_ || defaults_.epochs == 0) added.look(added.recording, "");
}

void Trainer::look() {
  for (Viewer& viewer : viewers_) viewer.look(viewer.recording, fmt::format("{} {}", defaults_.unit, epoch_));
}

void Trainer::open_viewer(const std::string& name, nn::ViewerOpening opening) {
  for (Viewer& viewer : viewers_)
    if (viewer.name == name) viewer.opening = std::move(opening);
}

// The first one is FILE of --view FILE; others stand beside it: FILE-name.
void Trainer::write_viewers() {
  if (!view_.empty() && viewers_.empty()) tell("--view: there is nothing to look at here");
  for (Viewer& viewer : viewers_) {
    std::vector<std::pair<const char*, std::filesystem::path>> files;  // each with the option that asked for it
    if (!no_plots_) files.push_back({"--out", std::filesystem::path(out_) / name_ / (viewer.name + ".html")});
    if (!view_.empty()) {
      std::filesystem::path file = view_;
      if (&viewer != &viewers_.front())
        file.replace_filename(fmt::format("{}-{}{}", file.stem().string(), viewer.name, file.extension().string()));
      files.push_back({"--view", file});
    }
    for (const auto& where : files) {
      const std::filesystem::path& file = where.second;
      const bool is_beside = std::strcmp(where.first, "--out") == 0;
      const bool written = try_to(where.first, [&] {
        if (file.has_parent_path()) std::filesystem::create_directories(file.parent_path());
        nn::write_viewer(viewer.recording, viewer.tokens, file,
                         {.title = viewer.name == name_ ? name_ : fmt::format("{}: {}", name_, viewer.name),
                          .opening = viewer.opening,
                          .back = is_beside ? "../index.html#" + name_ : ""});
        tell(file.string());
      });
      if (written && is_beside) viewer.is_beside_pictures = true;
    }
  }
}

void Trainer::write_page() const {
  std::string page = fmt::format("{}\n{}\n{}\n", name_, description_, command_);
  if (interrupted())
    page += fmt::format("measure\tepochs done before it was stopped\t{}\t{}\tFAIL\n", epoch_, epochs());
  for (const Measure& m : measures_)
    page += fmt::format("measure\t{}\t{:.4g}\t{}\t{}\n", m.name, m.value, m.requirement, m.passed ? "pass" : "FAIL");
  for (const Picture& p : pictures_) {
    const std::string name = p.file.substr(0, p.file.size() - std::strlen(".png"));
    for (const std::int64_t epoch : p.frames_at)
      page += fmt::format("frame\t{}\t{}\n", frame_file(name, epoch), after(epoch));
    if (!p.frames_at.empty()) page += fmt::format("frame\t{}\t{}\n", p.file, after(epoch_));
    page += fmt::format("picture\t{}\t{}\t{}\t{}\n", p.file, p.width, p.caption, p.notice);
  }
  if (!no_plots_)
    for (const Viewer& v : viewers_)
      if (v.is_beside_pictures) page += fmt::format("viewer\t{}/{}.html\t{}\n", name_, v.name, v.name);
  const std::filesystem::path folder = std::filesystem::path(out_) / name_, file = folder / "page.tsv";
  const std::string before = std::filesystem::exists(file) ? read_file(file.string()) : "";
  write_file(file, page);  // first, so that no page ever lists what is not there
  if (!no_plots_) remove_pictures_of_before(folder, before, page);
}

}  // namespace regard
