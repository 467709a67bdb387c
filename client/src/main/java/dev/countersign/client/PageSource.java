package dev.countersign.client;

import java.net.http.HttpRequest;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * Fetches pages of one list.
 *
 * @param type the type of a record
 */
record PageSource<T>(Sender sender, Json json, Json.Type<T> type) {

  /**
   * Fetches a page.
   *
   * @throws CountersignException when the service does not return a page, or returns another one
   */
  FetchedPage fetch(ListQuery query, NextPage next) {
    HttpRequest request =
        HttpRequest.newBuilder(query.at(next)).header("Accept", "application/json").GET().build();
    FinalResponse answer = sender.send(request);
    if (!answer.isSuccess()) {
      throw answer.refusal();
    }
    return new FetchedPage(
        answer, Envelope.read(json.tree(answer), answer, next, query.pageSize()));
  }

  /**
   * The page with some of its records, converted to the caller's type.
   *
   * @param passed number of records of the page that the walk has passed, including those left out
   */
  ListPage<T> read(FetchedPage fetched, List<JsonNode> records, int passed) {
    ListPage<JsonNode> page = fetched.page();
    List<T> content =
        records.stream().map(node -> json.read(fetched.answer(), node, type)).toList();
    return new ListPage<>(
        content,
        page.offset() + passed - records.size(),
        page.number(),
        page.size(),
        page.totalElements(),
        page.totalPages(),
        page.first(),
        page.last(),
        passed == page.content().size() ? page.cursor() : Optional.empty());
  }
}
