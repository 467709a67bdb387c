package dev.countersign.signatures.diagnosis;

/**
 * Probable causes of a difference between two signature bases or two bodies, with the fix.
 *
 * <p>A cause is named only if the two texts show it, so most causes are close to certain. The
 * reader decides which side must change. The names are stable: programs may depend on them.
 */
public enum LikelyCause {
  ESCAPED_TEXT(
      "one text is escaped, \\n for a line feed: sign line feeds"
          + " (if only the copy is escaped, the bases are equal)"),
  CR_LF(
      "lines end in CR LF: sign them with LF only"
          + " (if only the copy has CR, the bases are equal)"),
  FINAL_LINE_BREAK(
      "one text ends with a line break: sign the base without it"
          + " (if only the copy has it, the bases are equal)"),

  LINE_FORM("a line is not of the form \"name\": value, quoted, with a colon and one space"),
  COMPONENT_NAME_CASE(
      "names in a base are in lower case: write the component's name in lower case"),
  SIGNATURE_PARAMS_MISSING("\"@signature-params\" is missing: it is the last line of every base"),
  LINES_UNLIKE_LIST(
      "the lines of one base do not match its @signature-params: write one line for each component"
          + " that it lists, in the same order"),
  COMPONENT_PARAMETERS(
      "the parameters of the component differ: sign it with the parameters in Signature-Input"),
  COMPONENT_NOT_VERIFIED(
      "a component that was signed is not verified: list it in Signature-Input as well"),
  COMPONENT_NOT_SIGNED(
      "a component that is verified was not signed: sign each component in Signature-Input"),
  COMPONENT_ORDER("the components are in another order: sign them in the order of Signature-Input"),
  FOLDED_VALUE(
      "a value runs over two lines: write a folded field on one line, with a space at the fold"),

  NOT_ASCII("a character is not printable ASCII: encode the value before it is sent and signed"),
  WHITE_SPACE("only white space differs: trim a value at its ends and keep the rest as it is sent"),

  METHOD_CASE(
      "the method is spelled in another case: sign it as it is sent, usually in upper case"),
  METHOD_DIFFERS(
      "the method differs: sign the method that is sent (a redirect can turn POST into GET)"),

  SCHEME_DIFFERS(
      "the scheme differs: if TLS ends at a proxy, tell the verifier the URL that callers use"),
  URI_CASE("the scheme or host is spelled in another case: write both in lower case"),
  USER_INFO("one URI contains a user name: it is never sent, so leave it out when signing"),
  AUTHORITY_DIFFERS(
      "the host differs: configure the proxy to forward Host unchanged,"
          + " or tell the verifier the URL that callers use"),
  DEFAULT_PORT("one side names the default port: leave it out on both sides"),
  PORT_DIFFERS("the port differs: tell the verifier the URL that callers use, with its port"),

  EMPTY_PATH("an empty path is sent as \"/\": sign the URI with this slash"),
  TRAILING_SLASH("a slash at the path's end was added or dropped: sign the path as it is sent"),
  PATH_PREFIX(
      "a path prefix was added or stripped on the way: tell the verifier the URL that callers use"),
  PATH_NORMALISED(
      "double slashes or dots in the path were resolved: send and sign the resolved path"),
  PATH_RE_ENCODED("the path was re-encoded on the way: send it as signed, byte for byte"),
  HEX_CASE("percent-encodings differ in case, %2c and %2C: sign them as they are sent"),
  ENCODED_TWICE("one side was percent-encoded twice, %25 for %: encode once, then sign"),
  QUERY_MISSING("one side lacks the query: sign and verify the URI with its query"),
  EMPTY_QUERY("one URI ends with \"?\" and no query: sign it as it is sent"),
  QUERY_RE_ENCODED("the query was re-encoded on the way: send it as signed, byte for byte"),
  PLUS_FOR_SPACE("one side writes a space as +, the other as %20: sign the query as it is sent"),
  QUERY_ORDER(
      "the query's parameters are in another order: send them in the order that was signed"),
  QUERY_PARAMETER_MISSING(
      "a query parameter was added or dropped on the way: send the query as signed"),
  FRAGMENT("a fragment is never sent: leave it out of the URI that is signed"),

  LABEL_KEPT("the label of Signature-Input is in the line: leave out the label and its ="),
  PARAMETER_SPACING("the parameters are spaced differently: sign the text of Signature-Input"),
  PARAMETER_ORDER("the parameters are in another order: sign the text that Signature-Input has"),
  PARAMETER_MISSING(
      "a signature parameter was added or dropped: sign the text that Signature-Input has"),
  PARAMETER_QUOTES("a parameter is quoted on one side only: sign the text of Signature-Input"),
  PARAMETER_DIFFERS("the value of a parameter differs: sign the text that Signature-Input has"),
  CREATED_IN_MILLISECONDS("one side has created in milliseconds: it is Unix time in seconds"),
  CREATED_DIFFERS(
      "created differs: read the clock once (or the bases are of two different requests)"),
  KEYID_DIFFERS("keyid differs: sign with the keyid that is sent"),
  ALG_DIFFERS("alg differs: sign with the alg that is sent"),

  TIME_ZONE("the times are a whole time zone apart: take the time in UTC"),
  DATE_FORM("the date has another format: send and sign the form Tue, 05 Mar 2024 07:08:09 GMT"),
  DATE_DIFFERS("the date differs: set Date once, before signing, and let nothing set it again"),

  DIGEST_FORM("one digest is not of the form sha-256=:base64: with colons around the base64"),
  DIGEST_ALGORITHM("the digests are of different algorithms: sign the header that is sent"),
  BODY_EMPTY(
      "one digest is the digest of an empty body: hash the body before anything else reads it"),
  BODY_DIFFERS("the hashed body differs from the sent body: hash the bytes that you send"),

  FIELD_JOINED("the field was joined differently: join its lines with a comma and one space"),
  FIELD_LINE_MISSING(
      "a part of the field is missing on one side: use all its lines,"
          + " and do not cover fields that proxies add to"),
  MEMBER_ORDER("the field's parts are in another order: use its lines in the order sent"),
  FIELD_CASE("only the case differs: keep the value as it is sent"),
  MEDIA_TYPE_PARAMETER(
      "a charset or other parameter was added or dropped: set the whole Content-Type yourself"),

  BODY_MISSING("one body is empty: hash the body before anything else reads it"),
  BODY_BYTE_ORDER_MARK("one body begins with a byte order mark: write UTF-8 without it"),
  BODY_LINE_ENDS("only CR LF and LF differ: let nothing convert the line ends of the body"),
  BODY_FINAL_LINE_BREAK("one body ends with an extra line break: hash the bytes that you send"),
  BODY_COMPRESSED("one body is compressed with gzip: hash the bytes that are on the wire"),
  BODY_CHARSET(
      "the same text in Latin-1 and in UTF-8: convert it to bytes once, then hash and send"),
  BODY_JSON_WHITE_SPACE(
      "the JSON was re-serialised with other white space: hash and send the same bytes"),
  BODY_JSON_ESCAPES("the JSON was re-serialised with other escapes: hash and send the same bytes"),
  BODY_CUT("one body is only the beginning of the other: send and read the whole body");

  private final String sentence;

  LikelyCause(String sentence) {
    this.sentence = sentence;
  }

  /** The cause and how to fix it, on one line and without a full stop. */
  public String sentence() {
    return sentence;
  }
}
