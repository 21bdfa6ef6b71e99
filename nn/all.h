#pragma once

// Everything in this folder, and the layers below it.
#include "autograd/all.h"
#include "nn/attention/all.h"
#include "nn/kit/subject.h"
#include "nn/layers/dropout.h"
#include "nn/layers/linear.h"
#include "nn/module.h"
