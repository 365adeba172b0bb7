// The reason why a server cannot listen, as a sentence that names the setting to change.

/** The sentence for a failed `listen`. */
export function listenProblem(error: unknown, host: string, port: number): string {
  const { code, message } = error as NodeJS.ErrnoException;
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} is in use. Stop its program, or set PORT (0 picks a free port).`;
    case 'EACCES':
      return `This user may not listen on port ${port}. Set PORT to 1024 or more.`;
    case 'EADDRNOTAVAIL':
    case 'EINVAL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return (
        `HOST ${host} is not an address of this machine. ` +
        'Set HOST to one of its addresses: 127.0.0.1 for this machine only, 0.0.0.0 for all.'
      );
    default:
      return `The server cannot listen on ${host}, port ${port}: ${message}. Set HOST and PORT.`;
  }
}
