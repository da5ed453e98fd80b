// A little UCI engine for the tests: it counts instead of searching.
//
// With WANDERING defined its node counts depend on where its code lies, as those of a broken engine do.

#include <cstdint>
#include <iostream>
#include <sstream>
#include <string>

static const char *const moves[] = {"e2e4", "d2d4", "g1f3", "c2c4"};
static std::uint64_t table[512];
static thread_local unsigned depth = 1;

struct Mixer {
    virtual std::uint64_t mix(std::uint64_t x) const = 0;
    virtual ~Mixer() = default;
};

struct Shift : Mixer {
    std::uint64_t mix(std::uint64_t x) const override {
        x ^= x << 13;
        x ^= x >> 7;
        return x ^ x << 17;
    }
};

static std::uint64_t search(const Mixer &mixer, const std::string &position, std::uint64_t nodes) {
    std::uint64_t mark = 1;
    for (char c : position)
        mark = mark * 31 + static_cast<unsigned char>(c);
    for (std::uint64_t i = 0; i < nodes * 10; ++i) {
        std::uint64_t &entry = table[mark % 512];
        mark = mixer.mix(mark + depth) ^ entry;
        entry = mark;
    }
    return mark;
}

int main() {
    const Shift mixer;
    std::string line, position;
    while (std::getline(std::cin, line)) {
        std::istringstream words(line);
        std::string word;
        words >> word;
        if (word == "uci")
            std::cout << "id name Counter\nid author the tests\noption name Hash type spin default 1 min 1 max 64\nuciok" << std::endl;
        else if (word == "isready")
            std::cout << "readyok" << std::endl;
        else if (word == "position")
            position = line;
        else if (word == "go") {
            std::uint64_t nodes = 1;
            words >> word >> nodes;
            std::uint64_t mark = search(mixer, position, nodes);
#ifdef WANDERING
            nodes += reinterpret_cast<std::uintptr_t>(&search) / 16 % 4096;
#endif
            std::cout << "info depth 1 nodes " << nodes << " score cp 0\nbestmove " << moves[mark == 0] << std::endl;
        } else if (word == "quit")
            break;
    }
}
