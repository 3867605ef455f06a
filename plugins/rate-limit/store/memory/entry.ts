// The words of an entry, which counts one bucket.

/** The next entry whose key has the same head. */
export const CHAIN = 0;
/** The digest of its organization and key, in two numbers of 48 bits. The first is 0 where there is no entry. */
export const [DIGEST, DIGEST_END] = [1, 2] as const;
/** The index of its kind, and the `per` of its bucket. */
export const [KIND, PER] = [3, 4] as const;
/** Where the words of its kind begin, after its links among all entries, and among those of users and tags. */
export const FIELDS = 9;
