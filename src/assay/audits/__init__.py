"""An audit: everything Assay can say of one subject without a model, put together."""
