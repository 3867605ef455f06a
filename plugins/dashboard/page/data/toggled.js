/** The set with a member added, or removed if it has it. @param {ReadonlySet<string>} set @param {string} member */
export const toggled = (set, member) =>
  set.has(member) ? new Set([...set].filter((one) => one !== member)) : new Set([...set, member]);
