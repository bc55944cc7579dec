/** The browser's storage, which may be full or forbidden and holds whatever was put there. */
export const shelf = {
  getItem(key: string): string | null {
    try {
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  },
  setItem(key: string, value: string): void {
    try {
      localStorage.setItem(key, value);
    } catch {
      // It lasts as long as the page.
    }
  },
  read<Value>(key: string): Value | null {
    try {
      return JSON.parse(this.getItem(key) ?? "null") as Value | null;
    } catch {
      return null;
    }
  },
  write(key: string, value: unknown): void {
    this.setItem(key, JSON.stringify(value));
  },
};
