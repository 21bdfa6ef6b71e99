// A program of somebody who opens the library's namespaces and has names of their own. It compiles: the library keeps
// such everyday words in places that explain them, as regard::graph::Node is.
#include "nn/all.h"

using namespace regard;
using namespace regard::nn;
using namespace regard::optim;

struct Activation {};
struct Axes {};
struct Batch {};
struct Block {};
struct Buffer {};
struct Config {};
struct Context {};
struct Data {};
struct Direction {};
struct Dual {};
struct Edge {};
struct Extent {};
struct Function {};
struct Gelu {};
struct Gradients {};
struct Graph {};
struct Header {};
struct Index {};
struct Input {};
struct Inputs {};
struct Layer {};
struct Law {};
struct Layout {};
struct Matrix {};
struct Model {};
struct Node {};
struct Operands {};
struct Operation {};
struct Options {};
struct Order {};
struct Outcome {};
struct Output {};
struct Pack {};
struct Padding {};
struct Part {};
struct Pass {};
struct Range {};
struct Record {};
struct Regression {};
struct Report {};
struct Result {};
struct Row {};
struct Rows {};
struct Rule {};
struct Sizes {};
struct Slopes {};
struct State {};
struct Step {};
struct Subject {};
struct Task {};
struct Tile {};
struct Training {};
struct Trial {};
struct Value {};
struct Variant {};
struct Vector {};
struct Verdict {};
struct Window {};
struct Zero {};

// A name that is also the library's would be ambiguous here, where it is used.
using EveryNameOfMine =
    std::tuple<Activation, Axes, Batch, Block, Buffer, Config, Context, Data, Direction, Dual, Edge, Extent, Function,
               Gelu, Gradients, Graph, Header, Index, Input, Inputs, Layer, Law, Layout, Matrix, Model, Node, Operands,
               Operation, Options, Order, Outcome, Output, Pack, Padding, Part, Pass, Range, Record, Regression, Report,
               Result, Row, Rows, Rule, Sizes, Slopes, State, Step, Subject, Task, Tile, Training, Trial, Value,
               Variant, Vector, Verdict, Window, Zero>;

int main() {
  [[maybe_unused]] const EveryNameOfMine mine;
  const Variable x = parameter(ones({2}));
  sum(tanh(x)).backward();
  return x.gradient().defined() ? 0 : 1;
}
