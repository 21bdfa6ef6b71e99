// The main function of every suite. It is compiled once, and with it, for Catch2 2, the body of its one header.

#define CATCH_CONFIG_RUNNER
#include "tests/catch.h"

int main(int argc, char** argv) { return Catch::Session().run(argc, argv); }
