//! The page read back.

use roxmltree::{Document, Node};

/// The page as XML: it is written so that it can be read as such.
pub fn parsed(page: &str) -> Document<'_> {
    let start = page.find("<html").expect("a root");
    let mut body = page[start..].to_owned();
    for void in [
        "<meta charset=\"utf-8\">",
        "content=\"width=device-width, initial-scale=1\">",
        "content=\"light dark\">",
    ] {
        assert!(body.contains(void), "{void}");
        body = body.replace(void, &void.replace('>', "/>"));
    }
    let body = Box::leak(body.into_boxed_str());
    Document::parse(body).expect("every tag is closed")
}

/// All elements of this name below a node.
pub fn tagged<'a, 'i: 'a>(node: Node<'a, 'i>, name: &'static str) -> impl Iterator<Item = Node<'a, 'i>> {
    node.descendants().filter(move |node| node.tag_name().name() == name)
}

/// The text below a node, spaces joined.
pub fn text(node: Node) -> String {
    let pieces: Vec<&str> = node.descendants().filter(Node::is_text).filter_map(|node| node.text()).collect();
    pieces.concat().split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The element of this id.
pub fn by_id<'a, 'i>(document: &'a Document<'i>, id: &str) -> Node<'a, 'i> {
    document.descendants().find(|node| node.attribute("id") == Some(id)).unwrap_or_else(|| panic!("no #{id}"))
}
