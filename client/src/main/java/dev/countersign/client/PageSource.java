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
   * @throws CountersignException when the response is not a page, or not the requested page
   */
  FetchedPage fetch(ListQuery query, NextPage next) {
    HttpRequest request =
        HttpRequest.newBuilder(query.at(next)).header("Accept", "application/json").GET().build();
    FinalResponse response = sender.send(request);
    if (!response.isSuccess()) {
      throw response.refusal();
    }
    return new FetchedPage(
        response, Envelope.read(json.tree(response), response, next, query.pageSize()));
  }

  /**
   * Returns a page with some of the fetched records, converted to the caller's type.
   *
   * @param records the records to return
   * @param consumed the position on the fetched page at which the walk continues: the number of
   *     records that it has returned or left out
   */
  ListPage<T> convert(FetchedPage fetched, List<JsonNode> records, int consumed) {
    ListPage<JsonNode> page = fetched.page();
    List<T> content =
        records.stream().map(node -> json.read(fetched.response(), node, type)).toList();
    return new ListPage<>(
        content,
        page.offset() + consumed - records.size(),
        page.number(),
        page.size(),
        page.totalElements(),
        page.totalPages(),
        page.first(),
        page.last(),
        consumed == page.content().size() ? page.cursor() : Optional.empty());
  }
}
