const ID_LENGTH = 64;

/**
 * Maps ids of calls to ones that the wire accepts: `[a-zA-Z0-9_-]{1,64}`. Different ids stay different, and the same id
 * is always mapped alike.
 */
export const createCallIds = (): ((original: string) => string) => {
  const known = new Map<string, string>();
  const used = new Set<string>();
  return (original) => {
    const legal = known.get(original);
    if (legal !== undefined) return legal;
    const base = original.replaceAll(/[^a-zA-Z0-9_-]/g, '_').slice(0, ID_LENGTH) || 'call';
    let id = base;
    for (let count = 2; used.has(id); count += 1)
      id = `${base.slice(0, ID_LENGTH - String(count).length - 1)}_${count}`;
    used.add(id);
    known.set(original, id);
    return id;
  };
};
