package dev.countersign.cli.explain;

import java.util.ArrayList;
import java.util.List;

/** All permutations of a few things. */
final class Orders {
  private Orders() {}

  static <T> List<List<T>> of(List<T> things) {
    if (things.isEmpty()) {
      return List.of(List.of());
    }
    List<List<T>> orders = new ArrayList<>();
    for (int i = 0; i < things.size(); i++) {
      List<T> others = new ArrayList<>(things);
      T first = others.remove(i);
      for (List<T> order : of(others)) {
        List<T> all = new ArrayList<>();
        all.add(first);
        all.addAll(order);
        orders.add(all);
      }
    }
    return orders;
  }
}
