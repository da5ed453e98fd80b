// The engine behind the callgrind files beside it.
#include <cstdint>

namespace toy {

template <int Depth> struct Search {
    static uint64_t nodes(uint64_t seed) {
        uint64_t sum = 1;
        for (uint64_t move = 0; move < seed % 3 + 1; ++move)
            sum += Search<Depth - 1>::nodes(seed * 6364136223846793005u + move);
        return sum;
    }
};

template <> struct Search<0> {
    static uint64_t nodes(uint64_t) { return 1; }
};

namespace {

uint64_t ladder(uint64_t rungs) { return rungs == 0 ? 0 : 1 + ladder(rungs - 1); }

} // namespace

} // namespace toy

int main() { return int(toy::Search<3>::nodes(5) + toy::ladder(9)) & 1; }
