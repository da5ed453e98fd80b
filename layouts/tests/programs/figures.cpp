// The second file: shapes, an exception's origin, and names that the first file has too.
#include "shapes.hpp"

std::vector<std::string> &start_order() {
    static std::vector<std::string> order;
    return order;
}

Started::Started(const char *name) { start_order().push_back(name); }

static Started first("first of figures");

static const int squares[] = {5, 4, 3, 2, 1, 0, 1, 2, 3, 4, 5, 6};
static long counters[256] = {4, 5, 6};
thread_local std::string thread_name = "name";

__attribute__((noinline)) static int local(int x) {
    counters[x & 255] += counted(x);
    return squares[x % 12];
}

int of_figures(int number) { return local(number) + shared_calls() % 3; }

namespace {

struct Square : Shape {
    double side;
    explicit Square(double side) : side(side) {}
    double area() const override { return side * side; }
    const char *name() const override { return "square"; }
};

struct Disc : Shape {
    double radius;
    explicit Disc(double radius) : radius(radius) {}
    double area() const override { return 3.14159 * radius * radius; }
};

} // namespace

Shape *make_shape(int kind, double size) {
    if (kind == 1)
        return new Disc(size);
    return new Square(size * (kind + 1));
}

int halve(int number) {
    if (number < 0)
        throw std::string("below zero");
    if (number & 1)
        throw number;
    return number / 2;
}

static Started second("second of figures");
