const platforms: ReadonlySet<NodeJS.Platform> = new Set(['linux', 'freebsd']);

/**
 * Whether threads of a process can listen on one port, and the kernel spreads connections over them.
 * https://nodejs.org/api/net.html#serverlistenoptions-callback
 */
export const canSharePorts = (platform = process.platform): boolean => platforms.has(platform);
