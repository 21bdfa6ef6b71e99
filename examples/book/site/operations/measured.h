#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace regard::site {

// What programs have measured of the operations. Each part is there if its program has written its file; see
// read_measured.
struct Measured {
  // The largest relative deviations from PyTorch, over all cases of an operation.
  struct Peer {
    int cases = 0;
    long numbers = 0;  // compared in f64
    double output = 0, output_f32 = 0, output_f32_pytorch = 0;
    std::optional<double> gradients, gradients_f32, gradients_f32_pytorch, second;  // none without a gradient
  };
  // The largest relative deviations of gradients from measured slopes, at first and second order.
  struct Slopes {
    int cases = 0;
    long elements = 0;
    double first = 0, second = 0;
    bool passed = true;
  };
  struct Speed {
    std::string shapes;          // of the inputs
    double forward = 0;          // elements per second
    std::optional<double> both;  // forward and backward together
  };
  // The function of one number, and its slope.
  struct Curve {
    std::string of;  // the case
    std::vector<double> x, y, slope;
  };
  // ∂yᵢ/∂xⱼ, a row for each output.
  struct Influence {
    std::string of;
    std::vector<std::vector<double>> rows;
  };

  std::string commit, processor;
  int threads = 0;
  std::map<std::string, Peer> pytorch;
  std::map<std::string, Slopes> slopes;
  std::map<std::string, Speed> speed;
  std::map<std::string, Curve> curves;
  std::map<std::string, Influence> influences;
};

// From a folder with gradcheck.json, pytorch.json, operations.json and commit; each of them may be missing.
Measured read_measured(const std::string& folder);

}  // namespace regard::site
