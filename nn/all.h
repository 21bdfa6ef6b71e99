#pragma once

// Everything in this folder, and the layers below it.
#include "autograd/all.h"
#include "nn/module.h"
#include "nn/save.h"
#include "nn/save/safetensors.h"
