/**
 * Commands in somebody's name.
 *
 * The management acts for the person who holds the post, and names them with its command (`as`). A
 * connection knows commands by their ids alone, also when it sends them again, so the name is added
 * on the wire.
 */

import { BROWSER, type Surroundings, type Wire } from "../api/socket";

export class Names {
  readonly #names = new Map<string, string>();

  /** From now on the command of this id is given in that name. */
  give(id: string, name: string): void {
    this.#names.set(id, name);
  }

  forget(id: string): void {
    this.#names.delete(id);
  }

  /** A command as it goes over the wire. */
  said(text: string): string {
    const told = JSON.parse(text) as { id?: unknown };
    const name = typeof told.id === "string" ? this.#names.get(told.id) : undefined;
    return name === undefined ? text : JSON.stringify({ ...told, as: name });
  }

  /** A browser's surroundings whose wires say the names. */
  around(): Surroundings {
    return { ...BROWSER, open: (url) => this.#wire(new WebSocket(url)) };
  }

  #wire(socket: WebSocket): Wire {
    const wire: Wire = {
      onopen: null,
      onmessage: null,
      onclose: null,
      send: (data) => socket.send(this.said(data)),
      close: () => socket.close(),
    };
    socket.onopen = () => wire.onopen?.();
    socket.onmessage = (message) => wire.onmessage?.({ data: message.data });
    socket.onclose = (closing) => wire.onclose?.({ code: closing.code });
    return wire;
  }
}
