#pragma once

#include "tensor/kernels/math/erf.h"
#include "tensor/kernels/math/exp.h"
#include "tensor/kernels/math/log.h"
#include "tensor/kernels/math/sigmoid.h"
#include "tensor/kernels/math/sin_cos.h"
