#pragma once

#include "tensor/math/erf.h"
#include "tensor/math/exp.h"
#include "tensor/math/log.h"
#include "tensor/math/sigmoid.h"
#include "tensor/math/sin_cos.h"
