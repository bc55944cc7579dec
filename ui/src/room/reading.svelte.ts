/** The book of the house that lies open at a table, and the article that was asked for. */
class Reading {
  open = $state(false);
  /** The article that is shown first; null for the beginning of the book. */
  article = $state<string | null>(null);
  /** The house whose book it is, where it is not the one of the table. */
  house = $state<string | null>(null);

  show(article: string | null = null, house: string | null = null): void {
    this.article = article;
    this.house = house;
    this.open = true;
  }
}

export const reading = new Reading();
