package dev.countersign.server.audit;

/** The result of checking the whole chain. */
public sealed interface ChainVerification {

  /** Returns one line for the operator. */
  String message();

  /**
   * Every entry is unchanged and in its position.
   *
   * @param count the number of entries
   * @param head the hash of the last entry. A copy of it, kept elsewhere, can later prove that all
   *     entries up to this one still exist
   * @param noted the number of the entry with the hash noted earlier; 0 if none was given
   */
  record Intact(long count, String head, long noted) implements ChainVerification {
    @Override
    public String message() {
      String found = noted == 0 ? "" : "; entry " + noted + " of " + count + " has the noted hash";
      return "the audit trail is intact: " + count + " entries, head " + head + found;
    }
  }

  /**
   * The trail was changed in a way other than appending.
   *
   * @param seq the first position where the change shows
   * @param fault the kind of change
   */
  record Broken(long seq, Fault fault) implements ChainVerification {
    @Override
    public String message() {
      return "the audit trail is broken at entry " + seq + ": " + fault.text;
    }
  }

  /**
   * The chain is intact, but does not contain the head noted earlier: the trail was rewritten, or
   * belongs to an older backup or another database.
   *
   * @param head the head noted earlier
   */
  record HeadUnknown(String head) implements ChainVerification {
    @Override
    public String message() {
      if (head.equals(EntryHash.NONE)) {
        return "64 zeros are the head of an empty audit trail and prove nothing: enter the hash of"
            + " an entry";
      }
      return "no entry of the audit trail has the hash "
          + head
          + ": the trail was rewritten, or this is another database or an older backup of it";
    }
  }

  /** The kind of change to an entry. */
  enum Fault {
    /** The fields of the entry do not match its hash. */
    ALTERED("its fields do not match its hash"),
    /** The entry or its neighbour was replaced, with a recomputed hash. */
    REPLACED("it does not continue the previous entry, so one of the two was replaced"),
    /** The entry is missing, but later ones exist. */
    MISSING("it is missing"),
    /** The entry was moved from another position. */
    REORDERED("it was moved from another position"),
    /** The entry and all later ones are missing. */
    TRUNCATED("it is missing, and so are all later entries"),
    /** The entry exists, but was not written by an append. */
    UNEXPECTED("it exists, but the recorded trail ends before it");

    private final String text;

    Fault(String text) {
      this.text = text;
    }
  }
}
