package dev.countersign.server.audit;

/** What a check of the whole chain found. */
public sealed interface Verification {

  /** One line for the operator. */
  String message();

  /**
   * Every entry is as it was written, in its place.
   *
   * @param count how many there are
   * @param head the hash of the last one; noted elsewhere, it proves later that all up to it is
   *     still there
   */
  record Intact(long count, String head) implements Verification {
    @Override
    public String message() {
      return "the audit trail is intact: " + count + " entries, head " + head;
    }
  }

  /**
   * Something was done to the trail by other means than appending.
   *
   * @param seq the first place where it shows
   * @param fault what it looks like
   */
  record Broken(long seq, Fault fault) implements Verification {
    @Override
    public String message() {
      return "the audit trail is broken at entry " + seq + ": " + fault.text;
    }
  }

  /**
   * The chain is whole, but the head that was noted earlier is not in it: the trail was written
   * anew, or belongs to an older backup or another database.
   *
   * @param head as it was noted
   */
  record HeadUnknown(String head) implements Verification {
    @Override
    public String message() {
      return "no entry of the audit trail has the hash "
          + head
          + ": the trail was written anew, or this is not the database that it was noted from, or"
          + " an older backup of it";
    }
  }

  /** What was done to an entry. */
  enum Fault {
    /** Its fields and its hash do not agree. */
    ALTERED("its fields are not those that were hashed"),
    /** It or its neighbour was put in place of another, with a hash that was made anew. */
    REPLACED("it does not continue the entry before, one of the two was replaced"),
    /** It is not there, though later ones are. */
    MISSING("it is missing"),
    /** It stood elsewhere. */
    REORDERED("it stood at another place"),
    /** It and all after it are not there. */
    TRUNCATED("it is missing, and so is all that came after it"),
    /** It is there, but no append has written it. */
    UNEXPECTED("the trail ends before it");

    private final String text;

    Fault(String text) {
      this.text = text;
    }
  }
}
