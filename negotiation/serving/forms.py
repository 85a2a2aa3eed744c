"""The form that brings an adapter to the server."""

from __future__ import annotations

from pathlib import Path

from django import forms
from django.core.validators import RegexValidator

from negotiation.serving.models import NAME


class AdapterForm(forms.Form):
    """Where its folder is, and what it is called: by the server, and by players."""

    name = forms.CharField(
        max_length=64,
        validators=[RegexValidator(NAME, "Small letters, digits, dots, dashes and _, as in shark-3.")],
    )
    title = forms.CharField(max_length=80)
    path = forms.CharField(max_length=500)
    offer = forms.BooleanField(required=False)

    def clean_path(self) -> str:
        """A whole path: the server has a working directory of its own."""
        path: str = self.cleaned_data["path"].strip()
        if not Path(path).is_absolute():
            raise forms.ValidationError("Give the whole path of the folder, from /.")
        return path.rstrip("/")
