#pragma once

// Every kind of attention.
#include "nn/attention/attention.h"
#include "nn/attention/scores/scaled_dot_product.h"
