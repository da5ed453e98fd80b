// A C++ program with everything that a layout moves, and with what breaks when code moves without its tables: functions
// of one name in two files, exceptions, objects made before main, thread-locals with constructors.
#include "shapes.hpp"

#include <cstdio>
#include <map>
#include <memory>
#include <thread>

static Started first("first of shapes");

static const int squares[] = {0, 1, 4, 9, 16, 25, 36, 49};
static const char *const names[] = {"zero", "one", "two", "three"};
static long counters[512] = {1, 2, 3};
static long zeroes[512];
static thread_local int depth = 7;
static thread_local long steps;

#ifdef EXTRA
// The other arm: a function and a table more, and a different body of one that both have.
static const unsigned char table[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17};
__attribute__((noinline)) static int extra(int x) {
    steps++;
    return x + table[x & 15] - table[x & 15];
}
#else
static inline int extra(int x) { return x; }
#endif

// Another function of this name is in the other file.
__attribute__((noinline)) static int local(int x) {
    counters[x & 511]++;
    return extra(squares[x & 7]) + 1;
}

__attribute__((noinline)) static int other(int x) {
    zeroes[x & 511] += x;
    return squares[(x + 1) & 7];
}

static int (*const operations[])(int) = {local, other, of_figures};

static const char *word(int x) {
    switch (x) {
    case 0: return "nothing";
    case 1: return "single";
    case 2: return "pair";
    case 3: return "triple";
    case 4: return "four of a kind";
    default: return "many";
    }
}

static std::string attempt(int number) {
    try {
        return "half " + std::to_string(halve(number));
    } catch (int odd) {
        return "odd " + std::to_string(odd);
    } catch (const std::string &message) {
        return message;
    }
}

static Started second("second of shapes");

int main(int argc, char **) {
    for (const std::string &name : start_order())
        std::printf("%s\n", name.c_str());
    std::map<std::string, double> areas;
    for (int kind = 0; kind < 3; kind++) {
        std::unique_ptr<Shape> shape(make_shape(kind, 1.5 * argc));
        areas[shape->name()] += shape->area();
    }
    for (const auto &[name, area] : areas)
        std::printf("%s %.3f\n", name.c_str(), area);
    int sum = 0;
    for (int i = 0; i < 60; i++)
        sum += operations[(i + argc) % 3](i);
    std::printf("%s %d %ld %ld\n", names[sum & 3], sum, counters[5], zeroes[6]);
    for (int number : {8, 7, -2})
        std::printf("%s\n", attempt(number * argc).c_str());
    for (int i = 0; i < 6; i++)
        std::printf("%s ", word(i * argc));
    std::printf("%d %.1f %d\n", counted(1), counted(0.5), shared_calls());
    std::string theirs;
    std::thread thread([&] {
        depth += 1;
        thread_name += " of another thread";
        theirs = thread_name + std::to_string(depth);
    });
    thread.join();
    std::printf("%s, %s %d\n", theirs.c_str(), thread_name.c_str(), depth);
    return 0;
}
