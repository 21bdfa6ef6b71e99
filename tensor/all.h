#pragma once

// Everything in this folder.
#include "tensor/arithmetic.h"
#include "tensor/compare.h"
#include "tensor/create.h"
#include "tensor/index.h"
#include "tensor/io/npy.h"
#include "tensor/join.h"
#include "tensor/matmul.h"
#include "tensor/order.h"
#include "tensor/parallel.h"
#include "tensor/pointwise.h"
#include "tensor/print.h"
#include "tensor/random.h"
#include "tensor/reduce.h"
#include "tensor/softmax.h"
#include "tensor/tensor.h"
#include "tensor/view.h"
