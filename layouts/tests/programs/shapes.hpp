// What the two files of the C++ program share.
#pragma once
#include <string>
#include <vector>

// Notes the order in which objects with static storage are made.
struct Started {
    explicit Started(const char *name);
};

std::vector<std::string> &start_order();

struct Shape {
    virtual ~Shape() = default;
    virtual double area() const = 0;
    virtual const char *name() const { return "shape"; }
};

Shape *make_shape(int kind, double size);

// Throws an int if it is odd, a string if it is negative.
int halve(int number);

// One copy of this function and of its counter in the whole program.
template <typename T> T counted(T value) {
    static T calls = 0;
    calls += 1;
    return value + calls;
}

inline int shared_calls() {
    static int calls = 100;
    return ++calls;
}

extern thread_local std::string thread_name;
int of_figures(int number);
