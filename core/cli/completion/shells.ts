/** The shells that `koine completion` knows. */
export const shells: readonly string[] = ['bash', 'zsh', 'fish'];
