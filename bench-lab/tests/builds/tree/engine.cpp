// A little UCI engine that counts instead of searching, so that its trees are the same everywhere.
//
// QUICK does less work for the same answers, ODD answers otherwise, LOOSE has data in a section of its own making.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <sstream>
#include <string>

#ifdef QUICK
static const int ROUNDS = 4;
#else
static const int ROUNDS = 6;
#endif

static const char *const MOVES[4] = {"e2e4", "d2d4", "g1f3", "c2c4"};
static std::uint64_t table[1024];
static std::uint64_t sizes[4] = {3, 5, 9, 17};
static bool slow_option = true;
#ifdef LOOSE
__attribute__((section("loose_section"), used)) static char loose_bytes[8192] = {1};
#endif

__attribute__((noinline)) static int rounds() {
    return ROUNDS + (slow_option ? 1 : 0);
}

struct Counter {
    virtual ~Counter() = default;
    virtual std::uint64_t step(std::uint64_t state) const = 0;
};

struct Shifts final : Counter {
    std::uint64_t step(std::uint64_t state) const override {
        state ^= state << 13;
        state ^= state >> 7;
        return state ^ (state << sizes[3]);
    }
};

static std::uint64_t count(const std::string &position, std::uint64_t nodes) {
    std::uint64_t mark = 1;
    for (unsigned char c : position) mark = mark * 31 + c;
    static const Shifts shifts;
    const Counter *volatile counter = &shifts;
    std::uint64_t state = mark | 1;
    for (std::uint64_t i = 0; i < nodes * rounds(); i++) {
        state = counter->step(state);
        table[state & 1023] += state;
    }
    return mark;
}

static void search(const std::string &position, std::uint64_t nodes) {
    const std::uint64_t mark = count(position, nodes);
    std::uint64_t score = mark % 100;
#ifdef ODD
    score += position.find('k') != std::string::npos;
#endif
    std::cout << "info depth 1 nodes " << nodes << " score cp " << score << " pv " << MOVES[mark % 4] << "\n"
              << "bestmove " << MOVES[mark % 4] << std::endl;
}

int main(int argc, char **argv) {
    if (argc > 1 && !std::strcmp(argv[1], "bench")) {
        count("bench", 1000);
        std::printf("1000 nodes 1000000 nps\n");
        return 0;
    }
    std::string line, position;
    while (std::getline(std::cin, line)) {
        std::istringstream words(line);
        std::string word, rest;
        words >> word;
        if (word == "uci") {
            std::cout << "id name Mini\noption name Slow type check default true\nuciok" << std::endl;
        } else if (word == "isready") {
            std::cout << "readyok" << std::endl;
        } else if (word == "setoption") {
            slow_option = line != "setoption name Slow value false";
        } else if (word == "position") {
            std::getline(words, position);
        } else if (word == "go") {
            std::uint64_t nodes = 1;
            words >> word;
            if (word == "nodes") words >> nodes;
            search(position, nodes);
        } else if (word == "quit") {
            return 0;
        }
    }
}
