#pragma once

// Everything in this folder, and the tensors below it.
#include "autograd/anomaly.h"
#include "autograd/backward.h"
#include "autograd/gradcheck.h"
#include "autograd/op_list.h"
#include "autograd/ops/arithmetic.h"
#include "autograd/ops/index.h"
#include "autograd/ops/join.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/order.h"
#include "autograd/ops/pointwise.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/view.h"
#include "autograd/record.h"
#include "autograd/variable.h"
#include "tensor/all.h"
