// The bar that saves a form. It is there when there is something to save.
export function Save({ changed, onDrop }: { changed: boolean; onDrop: () => void }) {
  if (!changed) return null;
  return (
    <p className="save actions">
      <button type="submit" className="primary">Save</button>
      <button type="button" onClick={onDrop}>Discard</button>
    </p>
  );
}
